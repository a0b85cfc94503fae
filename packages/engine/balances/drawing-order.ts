/** Which balances can be drawn from now, and in which order: one total order, so that every location draws the same. */
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import type { DrawSource, GrantSource, RolledGrant } from '#contracts/internal/ledger';
import { compareText } from '../text/compare-text.ts';

/** Before balances, unless they say otherwise: theirs is 50. */
export const QUOTA_PRIORITY = 40;

/** Whether it can be drawn from, if the customer has the plan that it may need. */
export function isActive({ startsAt, endsAt, isFrozen }: BalanceFacts, now: number): boolean {
  return startsAt <= now && (endsAt === null || endsAt > now) && isFrozen !== true;
}

/** What the order depends on. The quota is one that ends with its window. */
type Ranked = Pick<BalanceFacts, 'priority' | 'endsAt' | 'startsAt' | 'id' | 'entity'> & {
  readonly category: keyof typeof RANKS;
};

/**
 * Priority, then what ends first, then promotional before paid, then what started first, then the id. An entity's comes before all that its
 * customer has of equal priority.
 */
export function compareDrawing(one: Ranked, other: Ranked): number {
  return (
    priorityOf(one) - priorityOf(other) ||
    compareEnds(one.endsAt, other.endsAt) ||
    RANKS[one.category] - RANKS[other.category] ||
    one.startsAt - other.startsAt ||
    compareText(one.id, other.id)
  );
}

/** Priorities are whole numbers. */
function priorityOf({ priority, entity }: Pick<BalanceFacts, 'priority' | 'entity'>): number {
  return entity === undefined ? priority : priority - 0.5;
}

/** What was rolled over comes before the quota that ends with it: it rolls over no more, and the quota may. */
const RANKS = { rolled: -1, plan: 0, promotional: 1, paid: 2 } as const;

export function compareEnds(one: number | null, other: number | null): number {
  if (one === other) return 0;
  if (one === null) return 1;
  return other === null ? -1 : one - other;
}

export interface OrderedSource {
  readonly source: DrawSource;
  /** When what is left of it is lost; null: never. */
  readonly endsAt: number | null;
  /** Of what was rolled over: start of the window that it was left of. */
  readonly rolledFrom?: number;
}

/**
 * @param balances of one property, in any order; those that are not active are left out
 * @param quotaEndsAt when the quota's window ends; null: it does not reset all at once
 * @param rolled what is left of earlier windows
 */
export function sourcesOf(
  balances: readonly BalanceFacts[],
  quotaEndsAt: number | null,
  now: number,
  rolled: readonly RolledGrant[] = [],
): readonly OrderedSource[] {
  const active = balances.filter((each) => isActive(each, now));
  return [quotaRanked(quotaEndsAt), ...active, ...rolled.map(rolledRanked)]
    .sort(compareDrawing)
    .map((each) => ({
      source: 'amount' in each ? grantSource(each) : 'quota',
      endsAt: each.endsAt,
      ...('from' in each && { rolledFrom: each.from }),
    }));
}

function quotaRanked(endsAt: number | null) {
  return { id: '', priority: QUOTA_PRIORITY, endsAt, category: 'plan', startsAt: 0 } as const;
}

export function rolledRanked({ grant, amount, from, startsAt, endsAt }: RolledGrant) {
  const category = 'rolled' as const;
  return { id: grant, priority: QUOTA_PRIORITY, endsAt, category, startsAt, amount, from };
}

function grantSource({
  id,
  name,
  amount,
  entity,
}: Pick<BalanceFacts, 'id' | 'name' | 'amount' | 'entity'>): GrantSource {
  return { grant: id, amount, ...(name !== undefined && { name }), ...(entity !== undefined && { entity }) };
}

/** For the ledger of a meter that rolls over: each balance with its place. */
export function placedSources(
  balances: readonly BalanceFacts[],
  quotaEndsAt: number | null,
  now: number,
): readonly DrawSource[] {
  const byId = new Map(balances.map((each) => [each.id, each]));
  return sourcesOf(balances, quotaEndsAt, now).map(({ source }) => {
    if (source === 'quota') return source;
    const { endsAt = null, ...balance } = byId.get(source.grant) ?? { priority: 0 };
    return { ...source, order: [priorityOf(balance), endsAt] };
  });
}

/** The next instant at which a balance starts or ends; infinity if none does. */
export function nextChangeOf(
  balances: readonly Pick<BalanceFacts, 'startsAt' | 'endsAt'>[],
  now: number,
): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { startsAt, endsAt } of balances)
    for (const at of [startsAt, endsAt]) if (at !== null && at > now && at < next) next = at;
  return next;
}
