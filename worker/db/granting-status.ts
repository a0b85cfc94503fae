/** Condition: a subscription's status in Stripe grants plans by default. Its account's policy can say more. */
import { type SQL, sql } from 'drizzle-orm';
import { GRANTING_STATUSES } from '#engine/entitlements/subscription-access';

const statuses = sql.raw(GRANTING_STATUSES.map((status) => `'${status}'`).join(', '));

export function isGrantingStatus(status: SQL): SQL {
  return sql`${status} IN (${statuses})`;
}
