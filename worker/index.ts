/** Entry points of the Worker: HTTP requests, queue messages, the schedule, and the Durable Object classes. */
import { env as bindings } from 'cloudflare:workers';
import { REPLICA_MS } from '#objects/stubs';
import { nameVersion } from '#runtime/log';
import type { QueueMessage } from '#runtime/messages';
import { createApp } from './app.ts';
import { checkDatabaseSize } from './db/check-database-size.ts';
import { archiveExcessActivity, archiveOldActivity } from './domains/activity/archive-activity.ts';
import { isMarkdownPath, serveMarkdown } from './domains/api-docs/serve-markdown.ts';
import { resealApiKeys } from './domains/api-keys/reseal-api-keys.ts';
import { forgetExpired } from './domains/auth/forget-expired.ts';
import { applyPlan } from './domains/billing/apply-plan.ts';
import { processBillingEvent } from './domains/billing/process-billing-event.ts';
import { BILLING_SCHEDULE } from './domains/billing/run-billing-schedule.ts';
import { sendBillingNotice } from './domains/billing/send-billing-notice.ts';
import { sendUsageNotice } from './domains/billing/send-usage-notice.ts';
import { settleUsage } from './domains/billing/settle-usage.ts';
import { pushChangedCustomers, pushCustomerFacts } from './domains/customer-facts/push-customer-facts.ts';
import { payOverage } from './domains/customers/balances/pay-overage.ts';
import { eraseDeletedEntity } from './domains/customers/entries/delete-entity.ts';
import { endExpiredEntries } from './domains/customers/entries/end-expired-entries.ts';
import { endGrantsOfDeletedPlans } from './domains/customers/entries/end-grants-of-deleted-plans.ts';
import { renewGrants } from './domains/customers/entries/renew-grants.ts';
import { recordSeenCustomers } from './domains/customers/list/record-seen-customers.ts';
import { renewKnownCustomers, startRenewal } from './domains/customers/list/renew-known-customers.ts';
import { renewIdentifiers } from './domains/customers/names/renew-identifiers.ts';
import { forgetReceipts } from './domains/customers/provisioning/receipts.ts';
import { forgetReportedChanges, reportChanges } from './domains/customers/provisioning/report-changes.ts';
import { forgetDeletedCustomers } from './domains/environments/forget-deleted-customers.ts';
import { appendQueuedEvents } from './domains/events/append-events.ts';
import { refreshDueKeys, refreshKeys } from './domains/integrations/jwt/refresh-keys.ts';
import { purgeIntegration } from './domains/integrations/stripe/connect/purge-integration.ts';
import { processEvents } from './domains/integrations/stripe/events/process-events.ts';
import { releaseEvents } from './domains/integrations/stripe/events/release-events.ts';
import { resealIntegrations } from './domains/integrations/stripe/integration/reseal-integrations.ts';
import {
  pollDue,
  STRIPE_SCHEDULE,
  startDueSyncs,
} from './domains/integrations/stripe/run-stripe-schedule.ts';
import { advanceSync } from './domains/integrations/stripe/sync/advance-sync.ts';
import { renewUserIds } from './domains/integrations/stripe/sync/renew-user-ids.ts';
import { retireLedgers } from './domains/metering/retire-ledgers.ts';
import { sendDeletionNotice } from './domains/organisation-deletion/notify-owners.ts';
import { runDeletionSchedule } from './domains/organisation-deletion/run-deletion-schedule.ts';
import { publishEnvironment } from './domains/publishing/publish-environment.ts';
import { publishWorkspace } from './domains/publishing/publish-workspace.ts';
import { serveSdkPackage } from './domains/sdk/serve-sdk-package.ts';
import { endUnusableWatches } from './domains/watch-sessions/end-watches.ts';
import { deliverDue } from './domains/webhooks/deliver.ts';
import { noteCustomers } from './domains/webhooks/note-customers.ts';
import { sendWebhookNotice } from './domains/webhooks/send-webhook-notice.ts';
import { tellCustomersChanged } from './domains/webhooks/tell-customers-changed.ts';
import { WEBHOOK_SCHEDULE } from './domains/webhooks/webhook-schedule.ts';
import { forgetTrialCodes } from './domains/workflows/limit-trial-runs.ts';
import { retryWorkflows } from './domains/workflows/retry-workflows.ts';
import { sendSwitchOffNotice } from './domains/workflows/send-switch-off-notice.ts';
import { switchOffWorkflow } from './domains/workflows/switch-off-workflow.ts';
import type { Env } from './env.ts';
import { workContext } from './http/make-work-context.ts';
import type { WorkContext } from './http/request-context.ts';
import { isApiPath, serveConsole } from './http/serve-console.ts';
import { handlePublicApi } from './public-api.ts';
import { consume, type Handlers } from './queue/consume.ts';
import { keepDeadLetters } from './queue/keep-dead-letters.ts';
import { resendOutbox } from './queue/outbox.ts';
import { everyMinutes, type Schedule, scheduleConsumer, startSchedule } from './queue/schedule.ts';

export { EnvironmentReplica } from '#objects/environment-replica/environment-replica-object';
export { EventStream } from '#objects/event-stream/event-stream-object';
export { Ledger } from '#objects/ledger/ledger-object';
export { PasswordHasher } from '#objects/password-hasher/password-hasher-object';

nameVersion((bindings as Partial<Env>).VERSION?.id);
const app = createApp();
const PUBLIC_API = /^https?:\/\/[^/]+\/(?:api|ofrep)\/v1\//;

/** What runs every minute beside resending the outbox. */
const SCHEDULE: Schedule<WorkContext> = {
  ...BILLING_SCHEDULE,
  ...STRIPE_SCHEDULE,
  ...WEBHOOK_SCHEDULE,
  'end-watches': (ctx) => endUnusableWatches(ctx),
  'delete-organisations': runDeletionSchedule,
  'end-expired-entries': endExpiredEntries,
  'end-grants-of-deleted-plans': endGrantsOfDeletedPlans,
  'renew-grants': renewGrants,
  'renew-identifiers': renewIdentifiers,
  'renew-words': renewKnownCustomers,
  'start-renewal': everyMinutes(24 * 60, startRenewal),
  'forget-receipts': forgetReceipts,
  'forget-expired': everyMinutes(60, forgetExpired),
  'forget-deleted-customers': everyMinutes(10, forgetDeletedCustomers),
  'report-changes': reportChanges,
  'forget-reported-changes': everyMinutes(60, forgetReportedChanges),
  'archive-activity': archiveExcessActivity,
  'archive-old-activity': everyMinutes(60, archiveOldActivity),
  'check-database-size': everyMinutes(60, checkDatabaseSize),
  'retry-workflows': retryWorkflows,
  'forget-trial-codes': forgetTrialCodes,
  'reseal-api-keys': resealApiKeys,
  'reseal-integrations': resealIntegrations,
  'refresh-jwt-keys': refreshDueKeys,
};

const MESSAGE_HANDLERS: Handlers<WorkContext> = {
  'workspace.changed': publishWorkspace,
  // A data location that does not answer delays no other environment, and the queue tries again.
  'environment.changed': {
    together: (ctx, messages) => messages.map((message) => publishEnvironment(ctx, message)),
    patienceMs: 2 * REPLICA_MS,
  },
  // Many calls of ledgers one after the other: what takes longer goes on in the background.
  'location.closed': {
    together: (ctx, messages) => messages.map((message) => retireLedgers(ctx, message)),
    patienceMs: 1_000,
  },
  'customer.changed': pushCustomerFacts,
  'balance.given': payOverage,
  'entity.deleted': eraseDeletedEntity,
  // Somebody may be waiting for the events of the next batch.
  'stripe.event-received': { together: processEvents, patienceMs: 25 },
  'stripe.events-released': { together: releaseEvents },
  'stripe.polls-due': { together: pollDue },
  'stripe.syncs-due': startDueSyncs,
  'stripe.customers-changed': pushChangedCustomers,
  'stripe.sync-advanced': advanceSync,
  'stripe.integration-deleted': purgeIntegration,
  'stripe.user-ids-changed': renewUserIds,
  'stripe.billing-event-received': processBillingEvent,
  'billing.plan-changed': applyPlan,
  'usage.level-passed': settleUsage,
  'customers.seen': { together: recordSeenCustomers, patienceMs: Infinity },
  'jwt.key-unknown': refreshKeys,
  'usage.notice-due': sendUsageNotice,
  'billing.notice-due': sendBillingNotice,
  // Addresses of others: what takes longer goes on in the background.
  'webhook.due': { together: (ctx, messages) => messages.map((message) => deliverDue(ctx, message)) },
  'webhook.customers-changed': tellCustomersChanged,
  'webhook.customers-listed': noteCustomers,
  'webhook.notice-due': sendWebhookNotice,
  'workflow.killed-repeatedly': switchOffWorkflow,
  'workflow.switch-off-notice-due': sendSwitchOffNotice,
  'organisation.deletion-notice-due': sendDeletionNotice,
  'events.recorded': { together: appendQueuedEvents, patienceMs: Infinity },
  'schedule.work-due': scheduleConsumer(SCHEDULE),
};

export default {
  fetch(request, env, context) {
    if (PUBLIC_API.test(request.url)) return handlePublicApi(request, env, context);
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/sdk/')) return serveSdkPackage(request, env.ARTIFACTS, pathname);
    if (isMarkdownPath(pathname)) return serveMarkdown(request, env, pathname);
    return isApiPath(pathname) ? app.fetch(request, env, context) : serveConsole(request, env);
  },

  async queue(batch, env) {
    if (batch.queue.endsWith('-dead')) return keepDeadLetters(workContext(env, Date.now), batch);
    await consume(batch, MESSAGE_HANDLERS, () => workContext(env, Date.now));
  },

  async scheduled({ scheduledTime }, env) {
    const ctx = workContext(env, Date.now);
    const runs = await Promise.allSettled([
      resendOutbox(ctx),
      startSchedule({ env, now: scheduledTime }, SCHEDULE),
    ]);
    for (const run of runs) {
      if (run.status === 'rejected') ctx.log.error('scheduled work failed', { error: run.reason });
    }
  },
} satisfies ExportedHandler<Env, QueueMessage>;
