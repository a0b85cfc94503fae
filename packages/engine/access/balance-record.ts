/** What calls about balances give, change and take back, and how they answer: the same for every store of balances. */
import type { BalanceCategory, BalanceFacts } from '#contracts/internal/customer-facts';
import type { LedgerReading } from '#contracts/internal/ledger';
import type { Balance } from '#contracts/public/balances';
import { balanceState } from '../balances/balance-state.ts';
import { ENTITY_GRANT } from '../ledger/account.ts';
import { conflicting, invalidField, Refusal } from './api-error.ts';

export interface BalanceRecord {
  /** bal_…, Tessera's own; bal_m_… of an entity's (`balancePrefix`). */
  readonly id: string;
  /** The application's own id; null: none. */
  readonly name: string | null;
  readonly propertyId: string;
  /** As given. */
  readonly amount: number;
  readonly takenBack: number;
  readonly category: BalanceCategory;
  readonly source: { readonly kind: Balance['source']['kind'] };
  readonly integrationId: string | null;
  readonly paymentId: string | null;
  readonly costBasis: Balance['costBasis'];
  readonly startsAt: number;
  /** Null: no end. */
  readonly endsAt: number | null;
  readonly priority: number;
  readonly needsPlan: boolean;
  readonly isFrozen: boolean;
  /** What the customer had used above quota and balances when it was given. */
  readonly paysOverage: boolean;
  /** Whose calls alone draw from it; null: the customer's own. */
  readonly entityId: string | null;
  readonly reason: string;
  readonly createdAt: number;
}

/** How a balance is drawn from. What is left out stays as it is. */
export interface BalanceTerms {
  readonly endsAt?: number | null | undefined;
  readonly priority?: number | undefined;
  readonly needsPlan?: boolean | undefined;
  readonly frozen?: boolean | undefined;
  readonly costBasis?: Balance['costBasis'] | undefined;
  readonly reason?: string | undefined;
}

export interface GivenBalance extends BalanceTerms {
  readonly propertyId: string;
  readonly amount: number;
  readonly category: BalanceCategory;
  readonly startsAt?: number | undefined;
  readonly paysOverage?: boolean | undefined;
  readonly entityId?: string | undefined;
  readonly reason: string;
}

/** Begins the id of a balance. */
export function balancePrefix({ entityId }: Pick<GivenBalance, 'entityId'>): 'bal' | 'bal_m' {
  return entityId === undefined ? 'bal' : ENTITY_GRANT;
}

/** After the quota of the plans. */
const DEFAULT_PRIORITY = 50;

/** @throws {ApiError} invalid-request naming endsAt or paysOverage */
export function newBalance(
  { propertyId, amount, category, startsAt, paysOverage = false, entityId, ...terms }: GivenBalance,
  { id, name, kind }: Pick<BalanceRecord, 'id' | 'name'> & BalanceRecord['source'],
  now: number,
): BalanceRecord {
  const record: BalanceRecord = {
    ...{ id, name, propertyId, amount, takenBack: 0, category, source: { kind } },
    ...{ integrationId: null, paymentId: null, costBasis: null },
    ...{ startsAt: startsAt ?? now, endsAt: null, priority: DEFAULT_PRIORITY },
    ...{ needsPlan: false, isFrozen: false, paysOverage, entityId: entityId ?? null },
    ...{ reason: terms.reason, createdAt: now },
  };
  if (paysOverage && record.entityId !== null)
    throw invalidField('paysOverage', 'Only a balance of the customer itself pays overage');
  if (paysOverage && (record.startsAt > now || terms.frozen === true))
    throw invalidField('paysOverage', 'Only a balance that can be used at once pays overage');
  return changedBalance(record, terms, now);
}

/** @returns the record itself if nothing changes @throws {ApiError} invalid-request naming endsAt */
export function changedBalance(
  before: BalanceRecord,
  { endsAt, priority, needsPlan, frozen, costBasis, reason }: BalanceTerms,
  now: number,
): BalanceRecord {
  const after: BalanceRecord = {
    ...before,
    endsAt: endsAt === undefined ? before.endsAt : endsAt,
    priority: priority ?? before.priority,
    needsPlan: needsPlan ?? before.needsPlan,
    isFrozen: frozen ?? before.isFrozen,
    costBasis: costBasis === undefined ? before.costBasis : costBasis,
    reason: reason ?? before.reason,
  };
  if (after.endsAt !== before.endsAt && after.endsAt !== null) ensureEnd(after.startsAt, after.endsAt, now);
  return JSON.stringify(after) === JSON.stringify(before) ? before : after;
}

function ensureEnd(startsAt: number, endsAt: number, now: number): void {
  if (endsAt <= now) throw invalidField('endsAt', 'Must be in the future', 'until-in-past');
  if (endsAt <= startsAt) throw invalidField('endsAt', 'Must be after startsAt');
}

/** What was given never changes. @throws {ApiError} conflict naming the field */
export function ensureSameBalance(
  { propertyId, amount, category, startsAt, paysOverage, entityId }: BalanceRecord,
  given: GivenBalance,
): void {
  const differs = (field: string, what: string) =>
    conflicting('balance-exists', field, `The balance exists with another ${what}, which never changes`);
  if (given.propertyId !== propertyId) throw differs('property', 'property');
  if (given.amount !== amount) throw differs('amount', `amount: ${amount}`);
  if (given.category !== category) throw differs('category', `category: ${category}`);
  if (given.startsAt !== undefined && given.startsAt !== startsAt)
    throw differs('startsAt', `start: ${startsAt}`);
  if (given.paysOverage !== undefined && given.paysOverage !== paysOverage)
    throw differs('paysOverage', `choice: ${paysOverage}`);
  if ((given.entityId ?? null) !== entityId)
    throw differs('entityId', entityId === null ? 'owner: the customer' : `owner: ${entityId}`);
}

/** How much of a wish can be taken back: at most what is neither used nor held. @throws {ApiError} unavailable */
export function takeableOf(
  { amount, takenBack }: BalanceRecord,
  { used, held }: Taken,
  wish: number,
): number {
  if (used === null)
    throw new Refusal('unavailable', 'usage-unavailable', 'The customer’s usage could not be read');
  return Math.max(0, Math.min(wish, amount - takenBack - used - held));
}

export interface Taken {
  /** Null: unknown. */
  readonly used: number | null;
  /** What open holds have taken beside it. */
  readonly held: number;
}

/** What was taken of a balance. @param reading undefined: no ledger answered */
export function takenOfBalance(
  { id }: Pick<BalanceRecord, 'id'>,
  reading: Pick<LedgerReading, 'draws' | 'held'> | undefined,
): Taken {
  if (reading === undefined) return { used: null, held: 0 };
  const drawn = reading.draws?.grants[id] ?? 0;
  const held = Math.min(drawn, reading.held?.draws?.grants[id] ?? 0);
  return { used: drawn - held, held };
}

interface Used extends Taken {
  /** It needs a plan that the customer does not have. */
  readonly lacksPlan: boolean;
}

/** What is left and whether it can be drawn from. */
export function judgeBalance(
  { amount, takenBack, startsAt, endsAt, isFrozen }: BalanceRecord,
  { used, held, lacksPlan }: Used,
  now: number,
): Pick<Balance, 'used' | 'held' | 'remaining' | 'state'> {
  const left = amount - takenBack;
  return {
    used,
    ...(held > 0 && { held }),
    remaining: used === null ? null : Math.max(0, left - used - held),
    state: balanceState({ amount: left, startsAt, endsAt, isFrozen }, used, lacksPlan, now),
  };
}

/** In the shape of the public API. @param named the property's */
export function describeBalance(
  record: BalanceRecord,
  used: Used,
  { feature, property }: Pick<Balance, 'feature' | 'property'>,
  now: number,
): Balance {
  const { id, name, amount, takenBack, category, source, integrationId, paymentId } = record;
  const { startsAt, endsAt, priority, needsPlan, isFrozen, costBasis, reason, createdAt } = record;
  const { paysOverage, entityId } = record;
  return {
    ...{ id: name ?? id, feature, property, ...(entityId !== null && { entityId }), amount, takenBack },
    ...judgeBalance(record, used, now),
    category,
    source: {
      kind: source.kind,
      ...(integrationId !== null && { integrationId }),
      ...(paymentId !== null && { paymentId }),
    },
    ...{ startsAt, endsAt, priority, needsPlan, frozen: isFrozen, paysOverage },
    ...{ costBasis, reason, createdAt },
  };
}

/** What checks know of it. */
export function balanceFacts(record: BalanceRecord): BalanceFacts {
  const { id, name, propertyId, amount, takenBack, category, startsAt, endsAt, priority } = record;
  return {
    ...{ id, propertyId, amount: amount - takenBack, category, startsAt, endsAt, priority },
    ...(name !== null && { name }),
    ...(record.isFrozen && { isFrozen: true }),
    ...(record.needsPlan && { needsPlan: true }),
    ...(record.entityId !== null && { entity: record.entityId }),
  };
}
