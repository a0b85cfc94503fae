// Manual entries for one demo customer: a plan grant for a trial, and a property override with an end date.
import { customerEndpoints } from '#contracts/console/customers';
import type { Feature } from '#contracts/console/features';
import { planEndpoints } from '#contracts/console/plans';
import { getItem, type Workspace } from '../workspace/build-workspace.ts';
import { trialCustomer } from './demo-customers.ts';
import { perMonth } from './demo-values.ts';

const DAY_MS = 86_400_000;

/** @param now epoch milliseconds */
export async function seedOverrides(
  { session, orgId }: Workspace,
  features: readonly Feature[],
  now: number,
): Promise<void> {
  const { email, grantDays, overrideDays, exports } = trialCustomer;
  const params = { orgId, identifier: email };
  const { grants, overrides } = await session.call(customerEndpoints.get, { params });
  if (grants.length === 0) {
    const plans = await session.call(planEndpoints.list, { params: { orgId } });
    const { planId } = getItem(plans, ({ planSlug }) => planSlug === 'team');
    const reason = 'Tries Team with two colleagues before the contract is signed';
    const until = now + grantDays * DAY_MS;
    const body = { environmentId: null, planId, reason, until };
    await session.call(customerEndpoints.grantPlan, { params, body });
  }
  if (overrides.length === 0) {
    const { properties } = getItem(features, ({ slug }) => slug === 'data-exports');
    const { id: propertyId } = getItem(properties, ({ propertyKey }) => propertyKey === 'exports');
    const reason = 'Moves three years of reports over to us';
    const until = now + overrideDays * DAY_MS;
    const body = { environmentId: null, propertyId, value: perMonth(exports), reason, until };
    await session.call(customerEndpoints.overrideProperty, { params, body });
  }
}
