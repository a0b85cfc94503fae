/** Tells an organisation's event stream how long its plan keeps events (DESIGN section 9). */
import type { BillingPlan } from '#contracts/organisations';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import type { WorkContext } from '#worker/http/request-context';
import type { BillingPlanChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { findBilling } from './billing-store.ts';

const RETENTION_DAYS: Readonly<Record<BillingPlan, number>> = { build: 7, grow: 30 };

/** The plan is read here, so messages may come twice and in any order. @throws what the event stream fails with */
export async function keepEventsForPlan(
  ctx: Pick<WorkContext, 'db' | 'env'>,
  { orgId, outboxId }: BillingPlanChanged,
): Promise<void> {
  const row = await findBilling(ctx.db, orgId);
  if (row !== null) {
    const stream = await openEventStream(ctx, { orgId });
    await stream.setRetention(RETENTION_DAYS[row.plan]);
  }
  await outboxDone(ctx.db, outboxId);
}
