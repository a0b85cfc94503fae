/** A customer's ledger of a meter in the fake server, which archives nothing: all of it is on one page. */
import type { LedgerLine } from '#contracts/public/customer-ledger';
import { invalidField } from '#engine/access/api-error';
import type { Count, Counted } from '#engine/access/count-usage';
import { HOLD_PREFIX } from '#engine/metering/hold-id';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import { propertyOf, takenOf } from './fake-balances.ts';
import type { FakeCustomer } from './fake-customer.ts';

/** Notes what a call has taken, given back, held or settled. */
export function noteUsage(
  customer: FakeCustomer,
  propertyId: string,
  { by = 0, hold: change }: Count,
  { accepted, replayed, applied, draws, hold, isSettling }: Counted,
  at: number,
): void {
  if (!accepted || replayed) return;
  const shared = { at, ...(draws && { draws: [...draws] }) };
  if (!hold) {
    const kind = applied > 0 ? 'used' : 'returned';
    if (applied !== 0) customer.note(propertyId, { ...shared, kind, amount: Math.abs(applied) });
    return;
  }
  const { name, expiresAt, settled } = hold;
  const id = HOLD_PREFIX + name;
  const amount = change?.kind === 'open' ? hold.amount : by;
  if (isSettling)
    customer.note(propertyId, {
      ...{ ...shared, kind: 'settled', amount: applied, hold: id, released: settled?.released ?? 0 },
    });
  else if (amount !== 0) customer.note(propertyId, { ...shared, kind: 'held', amount, hold: id, expiresAt });
}

/** GET /api/v1/customers/:customer/ledger. @throws {ApiError} invalid-request naming property or cursor */
export function readLedger(
  api: FakeApi,
  customer: FakeCustomer,
  { requestId, search }: FakeCall,
): FakeAnswer {
  const [feature = '', property = '', cursor] = ['feature', 'property', 'cursor'].map(
    (name) => search.get(name) ?? undefined,
  );
  const propertyId = propertyOf(api, { feature, property }).property.id;
  if (cursor !== undefined) throw invalidField('cursor', 'Is no nextCursor of this call');
  const now = api.now();
  const given = customer.balances.flatMap((record): LedgerLine[] => {
    if (record.propertyId !== propertyId) return [];
    const { id, name, amount, takenBack, createdAt: at, endsAt, costBasis, reason } = record;
    const balance = name ?? id;
    const { used, held } = takenOf(api, customer, record);
    const lost = amount - takenBack - (used ?? 0) - held;
    return [
      { at, kind: 'given', amount, balance, endsAt, costBasis, reason },
      ...(endsAt !== null && endsAt <= now && lost > 0
        ? [{ at: endsAt, kind: 'ended', amount: lost, balance } as const]
        : []),
    ];
  });
  const noted = customer.lines.filter((each) => each.propertyId === propertyId).map(({ line }) => line);
  const lines = [...given, ...noted].reverse().sort((one, other) => other.at - one.at);
  const answer = { status: 'success', requestId, lines, usageFrom: null, nextCursor: null };
  return { text: JSON.stringify(answer) };
}
