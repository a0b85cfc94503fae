/** The organisation's budget of customers created by API, counted by the database in the batch that adds one. */
import { eq, sql } from 'drizzle-orm';
import { CUSTOMER_BUDGETS } from '#engine/usage/customer-budget';
import type { Db } from '#worker/db/database';
import { storedRows } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { conflicting, type Refusal } from '#worker/http/api-error';

/** Condition of `change`, with its error: one more fits. */
export function isWithinBudget(db: Db, orgId: string) {
  const stored = sql`coalesce((SELECT ${storedRows.total} FROM ${storedRows} WHERE ${storedRows.orgId} = ${orgId}
    AND ${storedRows.kind} = 'provisioned_customer'), 0)`;
  const budget = sql`(SELECT CASE ${organization.plan} WHEN 'grow' THEN ${CUSTOMER_BUDGETS.grow} ELSE ${CUSTOMER_BUDGETS.build} END
    FROM ${organization} WHERE ${organization.id} = ${orgId})`;
  return [sql`${stored} < ${budget}`, () => budgetSpent(db, orgId)] as const;
}

async function budgetSpent(db: Db, orgId: string): Promise<Refusal> {
  const [found] = await db
    .select({ plan: organization.plan })
    .from(organization)
    .where(eq(organization.id, orgId));
  const most = CUSTOMER_BUDGETS[found?.plan ?? 'build'].toLocaleString('en-US');
  const message =
    found?.plan === 'grow'
      ? `The organisation has the ${most} customers that can be created by API. Existing customers can still be changed.`
      : `The Build plan includes ${most} customers created by API, in all environments together. Upgrade to Grow to create more. Existing customers can still be changed.`;
  return conflicting('customer-limit-reached', 'customer', message);
}
