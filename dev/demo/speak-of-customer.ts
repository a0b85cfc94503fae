// What the demo organisation says of one customer by hand: a plan for a trial, and a higher limit until a date.
import { customerEndpoints } from '#contracts/customers';
import type { Feature } from '#contracts/features';
import { planEndpoints } from '#contracts/plans';
import { trialCustomer } from './demo-customers.ts';
import { perMonth } from './demo-values.ts';
import { found, type Workspace } from './workspace.ts';

const DAY_MS = 86_400_000;

/** @param now epoch milliseconds */
export async function speakOfCustomer(
  { session, orgId }: Workspace,
  features: readonly Feature[],
  now: number,
): Promise<void> {
  const { email, grantDays, overrideDays, exports } = trialCustomer;
  const params = { orgId, identifier: email };
  const { grants, overrides } = await session.call(customerEndpoints.get, { params });
  if (grants.length === 0) {
    const plans = await session.call(planEndpoints.list, { params: { orgId } });
    const { planId } = found(plans, ({ planSlug }) => planSlug === 'team');
    const reason = 'Tries Team with two colleagues before the contract is signed';
    const until = now + grantDays * DAY_MS;
    const body = { environmentId: null, planId, reason, until };
    await session.call(customerEndpoints.grantPlan, { params, body });
  }
  if (overrides.length === 0) {
    const { properties } = found(features, ({ slug }) => slug === 'data-exports');
    const { id: propertyId } = found(properties, ({ propertyKey }) => propertyKey === 'exports');
    const reason = 'Moves three years of reports over to us';
    const until = now + overrideDays * DAY_MS;
    const body = { environmentId: null, propertyId, value: perMonth(exports), reason, until };
    await session.call(customerEndpoints.overrideProperty, { params, body });
  }
}
