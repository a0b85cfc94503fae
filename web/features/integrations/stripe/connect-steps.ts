/**
 * The steps of connecting a Stripe account (specification, domain screens, quick-start): which of them are done, left out
 * or under way, and which one comes next. Whoever left in the middle goes on there.
 */
import type { StripeIntegration, SyncJob, SyncType } from '#contracts/stripe';

export type ConnectStepId = 'key' | 'webhook' | 'sync' | 'event';
export type ConnectStepState = 'done' | 'skipped' | 'in-progress' | 'open';

export interface ConnectStep {
  readonly id: ConnectStepId;
  readonly state: ConnectStepState;
}

export const SYNC_TYPES: readonly SyncType[] = ['stripe-customer', 'stripe-product'];

/** @param integration null: there is none yet */
export function connectSteps(integration: StripeIntegration | null): readonly ConnectStep[] {
  return [
    { id: 'key', state: integration === null ? 'open' : 'done' },
    { id: 'webhook', state: integration?.hasWebhook ? 'done' : 'open' },
    { id: 'sync', state: integration === null ? 'open' : syncState(integration) },
    { id: 'event', state: integration === null ? 'open' : eventState(integration) },
  ];
}

/** The first step that asks for something; undefined once nothing does. A step under way is waited for. */
export function nextConnectStep(steps: readonly ConnectStep[]): ConnectStep | undefined {
  return steps.find(({ state }) => state === 'open' || state === 'in-progress');
}

/** The job of the type that was started last. */
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
  // A sync that fails long after does not take anybody back to the beginning: the page of the integration says it.
  if (jobs.every((job) => job !== undefined) && eventState(integration) !== 'open') return 'done';
  return integration.initialSyncSkipped ? 'skipped' : 'open';
}

function eventState({ firstEventAt, quickstartWaitForEventSkipped }: StripeIntegration): ConnectStepState {
  if (firstEventAt !== null) return 'done';
  return quickstartWaitForEventSkipped ? 'skipped' : 'open';
}
