// What a customer's plans, items, grants and overrides come to, worked out in the plainest way: no artifact, no cache, no key.
import type { PropertyValue } from '#contracts/public/values';

export const PLANS = ['team', 'seats', 'trial'] as const;
export type PlanSlug = (typeof PLANS)[number];
export const RULES = ['higher', 'lower', 'sum'] as const;

/** A limit by the month, or one of the words for none. */
export type Limit = number | 'unlimited' | 'off';

export interface PlanModel {
  isAddOn: boolean;
  seats: number;
  calls: Limit;
  /** By product, or by one of its prices, and whether the plan counts times the quantity. */
  readonly link: { readonly price: string | null; readonly product: string; timesQuantity: boolean } | null;
}

export interface WorkspaceModel {
  readonly plans: Readonly<Record<PlanSlug, PlanModel>>;
  readonly rules: { seats: (typeof RULES)[number]; calls: (typeof RULES)[number] };
}

export interface CustomerModel {
  readonly identifier: string;
  /** All of the customer's names; checks ask by any of them. */
  readonly names: readonly string[];
  /** The grant's id by the plan's slug. */
  readonly grants: Map<PlanSlug, string>;
  readonly overrides: Map<'seats' | 'calls', { readonly id: string; readonly value: number | Limit }>;
  subscription: { readonly id: string; readonly items: readonly ItemModel[] } | null;
}

export interface ItemModel {
  readonly id: string;
  readonly price: string;
  readonly product: string;
  quantity: number;
}

export interface Expected {
  readonly plans: readonly string[];
  readonly seats: number;
  readonly calls: Limit;
}

export function expectedOf(workspace: WorkspaceModel, customer: CustomerModel): Expected {
  const has = PLANS.filter((slug) => timesOf(workspace.plans[slug], slug, customer).length > 0);
  const plans = has.some((slug) => !workspace.plans[slug].isAddOn) ? has : [];
  const values = <Value>(each: (plan: PlanModel, times: number) => Value) =>
    plans.flatMap((slug) => {
      const plan = workspace.plans[slug];
      return timesOf(plan, slug, customer).map((times) => each(plan, times));
    });
  const seats = values((plan, times) => plan.seats * times);
  const calls = values(({ calls: limit }, times) => (typeof limit === 'number' ? limit * times : limit));
  const { overrides } = customer;
  const ownCalls = overrides.get('calls')?.value ?? mergedLimits(workspace.rules.calls, calls);
  return {
    plans: plans.toSorted(),
    seats: (overrides.get('seats')?.value as number) ?? mergedNumbers(workspace.rules.seats, seats) ?? 0,
    // Every plan turns the feature on; one that is off turns its meters off.
    calls: plans.length === 0 ? 'off' : (ownCalls ?? 'off'),
  };
}

/** Once for grants and links without a quantity, and once for each item that counts times its quantity. */
function timesOf({ link }: PlanModel, slug: PlanSlug, { grants, subscription }: CustomerModel): number[] {
  const items = (subscription?.items ?? []).filter(
    ({ price, product, quantity }) =>
      quantity > 0 && link?.product === product && (link.price ?? price) === price,
  );
  const isOnce = grants.has(slug) || (items.length > 0 && !link?.timesQuantity);
  const times = link?.timesQuantity ? items.map(({ quantity }) => quantity) : [];
  return isOnce ? [1, ...times] : times;
}

function mergedNumbers(rule: (typeof RULES)[number], all: readonly number[]): number | undefined {
  if (all.length === 0) return undefined;
  if (rule === 'sum') return all.reduce((sum, each) => sum + each, 0);
  return rule === 'higher' ? Math.max(...all) : Math.min(...all);
}

function mergedLimits(rule: (typeof RULES)[number], all: readonly Limit[]): Limit | undefined {
  const numbers = all.filter((each) => typeof each === 'number');
  const extreme = rule === 'lower' ? 'off' : 'unlimited';
  if (all.includes(extreme)) return extreme;
  return mergedNumbers(rule, numbers) ?? all[0];
}

export function propertyValueOf(limit: Limit): PropertyValue {
  if (limit === 'off') return { state: 'off' };
  if (limit === 'unlimited') return { state: 'on' };
  const window = { periodType: 'rolling', periodCount: 1, periodLength: 'month' } as const;
  return { state: 'metered', meter: { limit, ...window, uniqueResourceIds: false } };
}
