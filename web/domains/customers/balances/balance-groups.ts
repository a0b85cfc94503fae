/** A customer's balances by meter: what usage is taken from in the order of drawing, and what cannot be drawn from now. */
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { Entitlement } from '#contracts/console/customers';
import type { BalanceLine } from '#contracts/public/balance-lines';
import type { MeteredAnswer } from '../entitlements/meter-window.ts';

/** The plans' quota, or a balance that can be drawn from. */
export interface BalanceSource {
  readonly line: BalanceLine;
  /** Null: the quota, what rolled over, or a balance that the list does not have yet. */
  readonly balance: CustomerBalance | null;
  /** What is used next is taken from it. */
  readonly isNext: boolean;
}

export interface BalanceGroup {
  readonly propertyId: string;
  /** Undefined: the deployed version does not have the property. */
  readonly entitlement: Entitlement | undefined;
  /** The meter of the sources; null: it has no limit, so nothing is drawn. */
  readonly meter: MeteredAnswer | null;
  readonly sources: readonly BalanceSource[];
  /** Those that may become sources first, those that are over last. */
  readonly others: readonly CustomerBalance[];
}

/** Whether it is what an earlier period left. */
export const isRolled = ({ source }: Pick<BalanceLine, 'source'>): boolean => source === 'rollover';

/** What counts as over: shown on demand. */
export const isClosed = ({ state }: Pick<CustomerBalance, 'state'>): boolean =>
  state === 'used-up' || state === 'ended';

const RANKS: Readonly<Record<CustomerBalance['state'], number>> = {
  ...{ active: 0, scheduled: 1, 'needs-plan': 2, frozen: 3 },
  ...{ 'used-up': 4, ended: 5 },
};

/**
 * In the order of the entitlements; meters without balances, of which nothing rolled over either, are left out.
 * @param balances of the list, in any order
 */
export function balanceGroups(
  entitlements: readonly Entitlement[],
  balances: readonly CustomerBalance[],
): readonly BalanceGroup[] {
  const byProperty = Map.groupBy(balances, ({ propertyId }) => propertyId);
  const known = new Map(entitlements.map((each) => [each.propertyId, each]));
  const isDrawn = ({ propertyId, meter }: Entitlement) =>
    byProperty.has(propertyId) || (meter?.state === 'metered' && meter.balances?.some(isRolled));
  const ids = new Set([
    ...entitlements.filter(isDrawn).map(({ propertyId }) => propertyId),
    ...byProperty.keys(),
  ]);
  return [...ids].map((id) => groupOf(id, known.get(id), byProperty.get(id) ?? []));
}

/** Of a meter whose only balances are those of members, or cannot be drawn from. */
function quotaLine({ limit, held, remaining, resetsAt }: MeteredAnswer): BalanceLine {
  // Usage above the limit is apart.
  const used = Math.max(0, limit - remaining - (held ?? 0));
  return { kind: 'quota', amount: limit, used, held, remaining, endsAt: resetsAt };
}

function groupOf(
  propertyId: string,
  entitlement: Entitlement | undefined,
  balances: readonly CustomerBalance[],
): BalanceGroup {
  const meter = entitlement?.meter?.state === 'metered' ? entitlement.meter : null;
  const rest = new Set(balances);
  const lines = meter === null ? [] : (meter.balances ?? [quotaLine(meter)]);
  const next = lines.find(({ remaining }) => remaining > 0);
  const sources = lines.map((line): BalanceSource => {
    const balance = [...rest].find(({ id, name }) => line.kind === 'balance' && (name ?? id) === line.id);
    if (balance !== undefined) rest.delete(balance);
    return { line, balance: balance ?? null, isNext: line === next };
  });
  const others = [...rest].sort(
    (one, other) => RANKS[one.state] - RANKS[other.state] || other.createdAt - one.createdAt,
  );
  return { propertyId, entitlement, meter, sources, others };
}
