// Customers of the full organisation for screenshots of states: known by their calls, a few with a granted plan, one with everything.
import { customerEndpoints } from '#contracts/console/customers';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import { accessEndpoints } from '#contracts/public/access';
import { meteringEndpoints } from '#contracts/public/metering';
import { getItem, type Workspace } from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from '../../dev/workspace/call-public-api.ts';

/** More than a page of the list. */
const CUSTOMERS = 130;
const GRANTED = 12;
/** The customer whose page is shown, and what it has used of `PROPERTIES`' meter, nearly its limit. */
const MAIN_CUSTOMER = 'ada@example.com';
const USED = 48_700;

export interface CustomerSeed {
  readonly baseUrl: string;
  /** Of an environment in which `plan` and `feature` are deployed. */
  readonly secretKey: string;
  readonly plan: Plan;
  readonly feature: Feature;
}

export async function seedCustomers({ session, orgId }: Workspace, seed: CustomerSeed): Promise<void> {
  const { baseUrl, secretKey, plan, feature } = seed;
  const call = (path: string, body: object) => callPublicApi(baseUrl, secretKey, path, body);
  const customers = [MAIN_CUSTOMER, ...Array.from({ length: CUSTOMERS }, (_, index) => identifierOf(index))];
  for (const identifier of customers.slice(0, GRANTED)) {
    const params = { orgId, identifier };
    const reason = 'Tries the plan with two colleagues before the contract is signed';
    const body = { environmentId: null, planId: plan.planId, reason, until: null };
    await session.call(customerEndpoints.grantPlan, { params, body });
  }
  const { id: propertyId } = getItem(feature.properties, ({ propertyKey }) => propertyKey === 'seats');
  await session.call(customerEndpoints.overrideProperty, {
    params: { orgId, identifier: MAIN_CUSTOMER },
    body: {
      environmentId: null,
      propertyId,
      value: 250,
      reason: 'Agreed by phone, until the new contract',
      until: null,
    },
  });
  const meter = { feature: feature.slug, property: 'requests' };
  await call(meteringEndpoints.update.path, { userIdentifier: MAIN_CUSTOMER, ...meter, by: USED });
  for (const userIdentifier of customers) await call(accessEndpoints.check.path, { userIdentifier });
}

/** Emails, ids as an app would have them, and now and then a very long one. */
function identifierOf(index: number): string {
  if (index % 9 === 8) return `tenant/eu-west-1/${'department-of-applied-research/'.repeat(3)}user-${index}`;
  return index % 2 === 0 ? `user_${7919 * (index + 1)}` : `colleague.${index}@northwind.example`;
}
