/** Which balances can be drawn from now, and in which order: one total order, so that every location draws the same. */
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import type { DrawSource, GrantSource } from '#contracts/internal/ledger';
import { compareText } from '../text/compare-text.ts';

/** Before balances, unless they say otherwise: theirs is 50. */
export const QUOTA_PRIORITY = 40;

function isActive({ startsAt, endsAt, isFrozen }: BalanceFacts, now: number): boolean {
  return startsAt <= now && (endsAt === null || endsAt > now) && isFrozen !== true;
}

/** What the order depends on. The quota is one that ends with its window. */
type Ranked = Pick<BalanceFacts, 'priority' | 'endsAt' | 'category' | 'startsAt' | 'id'>;

/** Priority, then what ends first, then promotional before paid, then what started first, then the id. */
export function compareDrawing(one: Ranked, other: Ranked): number {
  return (
    one.priority - other.priority ||
    compareEnds(one.endsAt, other.endsAt) ||
    RANKS[one.category] - RANKS[other.category] ||
    one.startsAt - other.startsAt ||
    compareText(one.id, other.id)
  );
}

const RANKS = { plan: 0, promotional: 1, paid: 2 } as const;

function compareEnds(one: number | null, other: number | null): number {
  if (one === other) return 0;
  if (one === null) return 1;
  return other === null ? -1 : one - other;
}

export interface OrderedSource {
  readonly source: DrawSource;
  /** When what is left of it is lost; null: never. */
  readonly endsAt: number | null;
}

/**
 * @param balances of one property, in any order; those that are not active are left out
 * @param quotaEndsAt when the quota's window ends; null: it does not reset all at once
 */
export function sourcesOf(
  balances: readonly BalanceFacts[],
  quotaEndsAt: number | null,
  now: number,
): readonly OrderedSource[] {
  const quota = {
    id: '',
    priority: QUOTA_PRIORITY,
    endsAt: quotaEndsAt,
    category: 'plan',
    startsAt: 0,
  } as const;
  const active = balances.filter((each) => isActive(each, now));
  return [quota, ...active].sort(compareDrawing).map((each) => ({
    source: 'amount' in each ? grantSource(each) : 'quota',
    endsAt: each.endsAt,
  }));
}

function grantSource({ id, name, amount }: BalanceFacts): GrantSource {
  return { grant: id, amount, ...(name !== undefined && { name }) };
}

/** The next instant at which a balance starts or ends; infinity if none does. */
export function nextChangeOf(balances: readonly BalanceFacts[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { startsAt, endsAt } of balances)
    for (const at of [startsAt, endsAt]) if (at !== null && at > now && at < next) next = at;
  return next;
}
