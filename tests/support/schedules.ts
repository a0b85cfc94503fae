// Runs the parts of a domain's schedule one after the other, as their messages do in invocations of their own.
import { BILLING_SCHEDULE } from '#worker/domains/billing/run-billing-schedule';
import { STRIPE_SCHEDULE } from '#worker/domains/integrations/stripe/run-stripe-schedule';
import type { WorkContext } from '#worker/http/request-context';
import { type Schedule, scheduleConsumer } from '#worker/queue/schedule';

export const runBillingSchedule = (ctx: WorkContext) => runAll(ctx, BILLING_SCHEDULE);
export const runStripeSchedule = (ctx: WorkContext) => runAll(ctx, STRIPE_SCHEDULE);

async function runAll(ctx: WorkContext, schedule: Schedule<WorkContext>): Promise<void> {
  const consume = scheduleConsumer(schedule);
  for (const work of Object.keys(schedule)) {
    await consume(ctx, { type: 'schedule.work-due', work, dueAt: ctx.now });
  }
}
