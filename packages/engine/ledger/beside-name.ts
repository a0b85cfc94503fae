/**
 * A hold that was made under another name of a customer is changed by that name's ledger, which knows what was counted under the name
 * alone. What the customer has beside that comes with the call: limits are lower by it, and readings higher.
 */
import type {
  AlsoCount,
  AlsoOutcome,
  CounterUpdate,
  LedgerReading,
  ReadDraws,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import { quotaUsedOf } from '../balances/read-balances.ts';
import type { Account } from './update-records.ts';
import { readWindowOf } from './usage-change.ts';

/** @returns as `decide`, for the customer; without a reading of it, as it is */
export function decideBeside(
  own: Account,
  given: CounterUpdate,
  now: number,
  decide: (update: CounterUpdate) => UpdateOutcome,
): UpdateOutcome {
  const { also } = given;
  const beside = besideOf(own, given, now);
  const others = also?.map((each) => besideOf(accountOf(own, each), each, now)) ?? [];
  if (beside === null && others.every((each) => each === null)) return decide(given);
  const outcome = decide({
    ...leftFor(given, beside),
    ...(also && { also: also.map((each, index) => leftFor(each, others[index] ?? null)) }),
  });
  if (outcome.kind !== 'decided') return outcome;
  return {
    ...outcome,
    ...decidedBeside(outcome, given, beside),
    ...(outcome.also && {
      also: outcome.also.map((each) => {
        const index = also?.findIndex((other) => isSame(other, each)) ?? -1;
        const other = also?.[index];
        return other === undefined ? each : { ...each, ...decidedBeside(each, other, others[index] ?? null) };
      }),
    }),
  };
}

function accountOf(own: Account, { entity }: AlsoCount): Account | null {
  return entity === undefined ? own : own.records.accountOf(entity);
}

function isSame(one: AlsoCount, { propertyId, entity }: AlsoOutcome): boolean {
  return one.propertyId === propertyId && one.entity === entity;
}

/** Null: the call has no reading of the customer, and decides by the name alone. */
function besideOf(account: Account | null, given: Limited, now: number): Beside | null {
  const window = readWindowOf(given);
  const { customerReading: customer, propertyId } = given;
  if (customer === undefined || window === undefined || account === null) return null;
  return { customer, name: account.meters.read(propertyId, window, now) };
}

/** The answer of what was asked, instead of what was decided. */
function decidedBeside(
  { reading }: { readonly reading: LedgerReading | null },
  { value }: Limited,
  beside: Beside | null,
) {
  return beside === null || reading === null ? {} : { value, reading: withBeside(reading, beside) };
}

type Limited = CounterUpdate | AlsoCount;
type Sum = Pick<LedgerReading, 'used' | 'draws' | 'held'>;

/** What the customer has beside what its name has. */
interface Beside {
  readonly customer: LedgerReading;
  /** Of the name, before the update. */
  readonly name: LedgerReading;
}

/** The update with what the customer's quota and grants have left for the name. */
function leftFor<Kind extends Limited>(update: Kind, beside: Beside | null): Kind {
  const { value, sources } = update;
  if (beside === null || value.state !== 'metered') return update;
  const { customer, name } = beside;
  const limit = value.meter.limit - quotaUsedOf(customer) + quotaUsedOf(name);
  const drawnOf = ({ draws }: Sum, grant: string) => draws?.grants[grant] ?? 0;
  return {
    ...update,
    value: { ...value, meter: { ...value.meter, limit } },
    sources: sources?.map((each) =>
      each === 'quota'
        ? each
        : { ...each, amount: each.amount - drawnOf(customer, each.grant) + drawnOf(name, each.grant) },
    ),
  };
}

/** @param reading of the name, after the update */
function withBeside(reading: LedgerReading, { customer, name }: Beside): LedgerReading {
  const draws = sumOf(reading.draws, customer.draws, name.draws);
  const held = amountOf(reading.held?.amount, customer.held?.amount, name.held?.amount);
  const heldDraws = sumOf(reading.held?.draws, customer.held?.draws, name.held?.draws);
  const ends = [reading.held?.until, customer.held?.until].filter((each) => each !== undefined);
  return {
    used: amountOf(reading.used, customer.used, name.used),
    resetsAt: customer.resetsAt ?? reading.resetsAt,
    ...(draws && { draws }),
    ...(customer.rolled && { rolled: customer.rolled }),
    ...(held > 0 && {
      held: { amount: held, until: Math.min(...ends), ...(heldDraws && { draws: heldDraws }) },
    }),
  };
}

function sumOf(
  after: ReadDraws | undefined,
  customer: ReadDraws | undefined,
  name: ReadDraws | undefined,
): ReadDraws | null {
  if (after === undefined && customer === undefined) return null;
  const grants = new Set([...Object.keys(after?.grants ?? {}), ...Object.keys(customer?.grants ?? {})]);
  return {
    inWindow: amountOf(after?.inWindow, customer?.inWindow, name?.inWindow),
    grants: Object.fromEntries(
      [...grants].map((each) => [
        each,
        amountOf(after?.grants[each], customer?.grants[each], name?.grants[each]),
      ]),
    ),
  };
}

/** The customer's ledger learns within a second what the name's has changed: until then the sum lacks it. */
function amountOf(after = 0, customer = 0, name = 0): number {
  return Math.max(0, after + customer - name);
}
