/**
 * The state of each step of connecting a Stripe account (done, skipped, in progress or open), and the next one. Derived
 * from the stored integration, so that users continue where they left.
 */
import type { StripeIntegration, SyncJob, SyncType } from '#contracts/console/stripe';
import { eventWait } from '#web/values/event-wait.ts';

export type ConnectStepId = 'key' | 'webhook' | 'sync' | 'event';
export type ConnectStepState = 'done' | 'skipped' | 'in-progress' | 'open';

export interface ConnectStep {
  readonly id: ConnectStepId;
  readonly state: ConnectStepState;
}

export const SYNC_TYPES: readonly SyncType[] = ['stripe-customer', 'stripe-product'];

/**
 * @param integration null before it is created
 * @param hasUsage whether the organisation has had calls or events, with which there is no event to wait for
 */
export function connectSteps(
  integration: StripeIntegration | null,
  hasUsage: boolean,
): readonly ConnectStep[] {
  return [
    { id: 'key', state: integration === null ? 'open' : 'done' },
    { id: 'webhook', state: integration?.hasWebhook ? 'done' : 'open' },
    { id: 'sync', state: integration === null ? 'open' : syncState(integration) },
    { id: 'event', state: eventState(integration, hasUsage) },
  ];
}

/** The first step that is not done or skipped. Undefined when all are. */
export function nextConnectStep(steps: readonly ConnectStep[]): ConnectStep | undefined {
  return steps.find(({ state }) => state === 'open' || state === 'in-progress');
}

/** The most recent job of the type. */
export function lastJob(
  { syncJobs }: Pick<StripeIntegration, 'syncJobs'>,
  type: SyncType,
): SyncJob | undefined {
  return syncJobs.find((job) => job.type === type);
}

function syncState(integration: StripeIntegration): ConnectStepState {
  const jobs = SYNC_TYPES.map((type) => lastJob(integration, type));
  if (jobs.some((job) => job?.status === 'running')) return 'in-progress';
  if (jobs.every((job) => job?.status === 'finished')) return 'done';
  // A sync that fails later does not reopen the guide: the integration's page reports it. Usage says nothing about this account.
  if (jobs.every((job) => job !== undefined) && eventState(integration, false) !== 'open') return 'done';
  return integration.initialSyncSkipped ? 'skipped' : 'open';
}

function eventState(integration: StripeIntegration | null, hasUsage: boolean): ConnectStepState {
  const wait = eventWait(integration, hasUsage);
  return wait === 'done' || wait === 'skipped' ? wait : 'open';
}
