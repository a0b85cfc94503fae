/** For a plan that falls from Grow to Build without Stripe. Commit it with the change of the plan. */
import { fallOf } from '#engine/usage/grace-period';
import type { Db, Statement } from '#worker/db/database';
import { changeBilling, findBilling } from './billing-store.ts';

export async function recordFall(db: Db, orgId: string, now: number): Promise<Statement[]> {
  const row = await findBilling(db, orgId);
  return row === null ? [] : [changeBilling(db, orgId, fallOf(row, true, now))];
}
