/** For the schedule: what was told of customers, in organisations where no webhook is told of them any more. */
import { sql } from 'drizzle-orm';
import { limitTo } from '#worker/db/limit-to';
import { webhookCustomer } from '#worker/db/schema/webhooks';
import { isToldByWebhook } from '#worker/db/told-by-webhook';
import type { WorkContext } from '#worker/http/request-context';

/** Per run, of one organisation each. */
const MAX_FORGOTTEN = 5_000;

export async function forgetToldCustomers({ db }: WorkContext): Promise<void> {
  const untold = await db
    .selectDistinct({ orgId: webhookCustomer.orgId })
    .from(webhookCustomer)
    .where(sql`NOT ${isToldByWebhook(webhookCustomer.orgId, 'customer.entitlements_changed')}`)
    .limit(10);
  for (const { orgId } of untold) {
    const rows = sql`SELECT rowid FROM ${webhookCustomer} WHERE org_id = ${orgId} ${limitTo(MAX_FORGOTTEN)}`;
    await db.delete(webhookCustomer).where(sql`rowid IN (${rows})`);
  }
}
