/** Table of contents: what the platform calls, and where it goes. */
import type { QueueMessage } from '#worker/queue/messages';
import { createApp } from './app.ts';
import { openDatabase } from './db/database.ts';
import { handlePublicApi } from './domains/access/handle-public-api.ts';
import { publishEnvironment } from './domains/artifacts/publish-environment.ts';
import { publishWorkspace } from './domains/artifacts/publish-workspace.ts';
import { applyPlan } from './domains/billing/apply-plan.ts';
import { runBillingSchedule } from './domains/billing/run-billing-schedule.ts';
import { sendUsageNotice } from './domains/billing/send-usage-notice.ts';
import { settleUsage } from './domains/billing/settle-usage.ts';
import { workOnBillingEvent } from './domains/billing/work-on-billing-event.ts';
import { tellChangedCustomers, tellCustomerFacts } from './domains/customers/tell-customer-facts.ts';
import { appendEvents } from './domains/events/append-events.ts';
import { advanceSync } from './domains/integrations/stripe/advance-sync.ts';
import { purgeIntegration } from './domains/integrations/stripe/purge-integration.ts';
import { runStripeSchedule } from './domains/integrations/stripe/run-stripe-schedule.ts';
import { workOnEvent } from './domains/integrations/stripe/work-on-event.ts';
import { closeLedgers } from './domains/metering/close-ledgers.ts';
import type { Env } from './env.ts';
import { workContext } from './http/make-work-context.ts';
import { log } from './platform/log.ts';
import { consume } from './queue/consume.ts';
import { keepDeadLetters } from './queue/keep-dead-letters.ts';
import { resendOutbox } from './queue/outbox.ts';

export { EnvironmentReplica } from '#objects/environment-replica/environment-replica-object';
export { EventStream } from '#objects/event-stream/event-stream-object';
export { Ledger } from '#objects/ledger/ledger-object';

const app = createApp();
const PUBLIC_API = /^https?:\/\/[^/]+\/api\/v1\//;

export default {
  fetch(request, env, context) {
    return PUBLIC_API.test(request.url)
      ? handlePublicApi(request, env, context)
      : app.fetch(request, env, context);
  },

  async queue(batch, env) {
    const db = openDatabase(env.DB);
    if (batch.queue.endsWith('-dead')) return keepDeadLetters(db, batch, Date.now(), log);
    await consume(
      batch,
      {
        'workspace.changed': (message) => publishWorkspace(env, message, Date.now()),
        'environment.changed': (message) => publishEnvironment(env, message, Date.now()),
        'location.closed': (message) => closeLedgers(env, message, Date.now()),
        'customer.changed': (message) => tellCustomerFacts(env, message),
        'stripe.event-received': (message) => workOnEvent(env, message, Date.now),
        'stripe.customers-changed': (message) => tellChangedCustomers(env, message),
        'stripe.sync-advanced': (message) => advanceSync(env, message, Date.now),
        'stripe.integration-deleted': (message) => purgeIntegration(env, message, Date.now),
        'stripe.billing-event-received': (message) =>
          workOnBillingEvent(workContext(env, Date.now()), message),
        'billing.plan-changed': (message) => applyPlan(workContext(env, Date.now()), message),
        'usage.level-passed': (message) => settleUsage(workContext(env, Date.now()), message),
        'usage.notice-due': (message) => sendUsageNotice(workContext(env, Date.now()), message),
        'events.recorded': (message) => appendEvents(env, message.batch),
      },
      log,
    );
  },

  async scheduled(_controller, env) {
    const now = Date.now();
    const works = await Promise.allSettled([
      resendOutbox(openDatabase(env.DB), env, now),
      runBillingSchedule(workContext(env, now)),
      runStripeSchedule(workContext(env, now)),
    ]);
    for (const work of works) {
      if (work.status === 'rejected') log.error('scheduled work failed', { error: work.reason });
    }
  },
} satisfies ExportedHandler<Env, QueueMessage>;
