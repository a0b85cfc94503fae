// A meter of Stripe customers in a run, whose limit and overage come times the quantity that they pay for, which changes all the time: the
// limit of the period is made of what each quantity gave in its part of it, and every location must come to the same.
import type { AccessCheckAnswer } from '#contracts/public/access';
import { callAt } from './call-at.ts';
import type { CustomerHistory } from './history.ts';
import type { StripeControl } from './stripe-control.ts';
import { ALLOWANCE, FEATURE, PLACES, type Place } from './workspace.ts';

interface Compared {
  readonly baseUrl: string;
  readonly workspace: { readonly secretKey: string };
  readonly customers: readonly CustomerHistory[];
  readonly stripe: StripeControl;
}

/**
 * Locations say the same; without a change the limit is the quantity's, and with changes it is between the least and the most of them; how
 * much may be used above it follows the quantity of now; and nothing is counted that nobody has.
 */
export async function compareShares({ customers, ...run }: Compared): Promise<string[]> {
  const differences: string[] = [];
  for (const { identifier, allowance } of customers) {
    const meters = await Promise.all(PLACES.map((place) => readAllowance(run, identifier, place)));
    const [first, ...others] = meters.map((meter) => JSON.stringify(meter));
    if (others.some((other) => other !== first))
      differences.push(`${identifier}: locations disagree about shares: ${JSON.stringify(meters)}`);
    const [meter] = meters;
    if (meter === undefined) continue;
    const { limit, used, remaining, overage = 0, overageLimit = 0 } = meter;
    const { now, all } = await quantitiesOf(run.stripe, identifier);
    const [least, most] = [Math.min(...all), Math.max(...all)].map((each) => each * ALLOWANCE.limit);
    if (limit < (least ?? 0) || limit > (most ?? 0))
      differences.push(`${identifier}: ${first} has another limit than quantities ${all} give`);
    if (overageLimit !== now * ALLOWANCE.upTo)
      differences.push(`${identifier}: ${first} allows another overage than quantity ${now} gives`);
    if (remaining !== Math.max(0, limit - used) || overage !== (now === 0 ? 0 : Math.max(0, used - limit)))
      differences.push(`${identifier}: shares do not add up: ${first}`);
    // Of a subscription, the period begins with it.
    if (used > allowance.max || (all.length === 1 && now === 0 && used < allowance.min))
      differences.push(`${identifier}: ${used} of the allowance are used, not ${JSON.stringify(allowance)}`);
  }
  return differences;
}

/** Of the subscription that gives most: what it has now, and all that it had. 0 without any. */
async function quantitiesOf({ client, customerIds, quantities }: StripeControl, customer: string) {
  if (!customerIds.includes(customer)) return { now: 0, all: [0] };
  const { data } = await client.subscriptions.list({ customer, status: 'active', limit: 100 });
  const each = data.map(({ id, items }) => ({ id, quantity: items.data[0]?.quantity ?? 1 }));
  if (each.length === 0) return { now: 0, all: [0] };
  const all = each.flatMap(({ id, quantity }) => [quantity, ...(quantities.get(id) ?? [])]);
  return { now: Math.max(...each.map(({ quantity }) => quantity)), all: [...new Set(all)] };
}

async function readAllowance(
  { baseUrl, workspace }: Pick<Compared, 'baseUrl' | 'workspace'>,
  userIdentifier: string,
  place: Place,
) {
  const from = { baseUrl, secretKey: workspace.secretKey, place };
  const response = await callAt(from, 'access-checks', { userIdentifier, features: [FEATURE] });
  const text = await response.text();
  if (!response.ok) throw new Error(`A check answered ${response.status}: ${text}`);
  const meter = (JSON.parse(text) as AccessCheckAnswer).features[FEATURE]?.properties.allowance;
  if (typeof meter !== 'object' || meter.state !== 'metered') throw new Error('The allowance is no meter');
  return meter;
}
