/**
 * Deletes what is stored of customers in environments that are deleted: those that were created by API, which count in the organisation's
 * budget, and what webhooks were told. The list of known customers was brought up to date with the environment's deletion.
 */

import { sql } from 'drizzle-orm';
import { limitTo } from '#worker/db/limit-to';
import { provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { webhookCustomer } from '#worker/db/schema/webhooks';
import type { WorkContext } from '#worker/http/request-context';

const BATCH_ROWS = 1_000;
const MAX_BATCHES = 20;

/** A part of the schedule: every ten minutes. */
export async function forgetDeletedCustomers({ db }: Pick<WorkContext, 'db'>): Promise<void> {
  for (const table of [provisionedCustomer, webhookCustomer]) {
    const some = sql`SELECT p.rowid FROM ${environment} e CROSS JOIN ${table} p
      WHERE e.deleted_at IS NOT NULL AND p.environment_id = e.id ${limitTo(BATCH_ROWS)}`;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { meta } = await db.delete(table).where(sql`rowid IN (${some})`);
      if (meta.changes < BATCH_ROWS) break;
    }
  }
}
