/** Labels for sync jobs and for the next connection step. */
import type { StripeIntegration, SyncJob, SyncType } from '#contracts/console/stripe';
import type { Tone } from '#web/ui/labels/status-label.tsx';
import { connectSteps, nextConnectStep } from './connect-steps.ts';
import { isSyncing } from './queries.ts';

export const SYNC_NOUNS: Readonly<Record<SyncType, string>> = {
  'stripe-customer': 'Customers',
  'stripe-product': 'Products',
};

/** 'Running', 'Waiting for Stripe', 'Finished', 'Failed', 'Never run'. */
export function syncLabel(job: SyncJob | undefined): { readonly label: string; readonly tone: Tone } {
  if (job === undefined) return { label: 'Never run', tone: 'quiet' };
  if (job.status === 'finished') {
    return job.failed > 0
      ? { label: 'Finished with failures', tone: 'waiting' }
      : { label: 'Finished', tone: 'good' };
  }
  if (job.status === 'failed') return { label: 'Failed', tone: 'bad' };
  return job.waitsUntil === null
    ? { label: 'Running', tone: 'good' }
    : { label: 'Waiting for Stripe', tone: 'waiting' };
}

/** One label for both kinds of sync; the worst state wins. */
export function syncSummary(integration: Pick<StripeIntegration, 'syncJobs'>): {
  readonly label: string;
  readonly tone: Tone;
  readonly isRunning: boolean;
} {
  const { syncJobs } = integration;
  const isRunning = isSyncing(integration);
  if (isRunning) {
    const isWaiting = syncJobs.some(({ waitsUntil }) => waitsUntil !== null);
    return isWaiting
      ? { label: 'Sync is waiting for Stripe', tone: 'waiting', isRunning }
      : { label: 'Syncing', tone: 'good', isRunning };
  }
  if (syncJobs.some(({ status }) => status === 'failed')) {
    return { label: 'Sync failed', tone: 'bad', isRunning };
  }
  return syncJobs.length === 0
    ? { label: 'Never synced', tone: 'quiet', isRunning }
    : { label: 'Synced', tone: 'good', isRunning };
}

const NEXT_STEP_LABELS = {
  key: 'Enter the secret key',
  webhook: 'Create the webhook',
  sync: 'Sync customers and products',
  event: 'Wait for the first event',
} as const;

/** The next step of connecting the account; null when it is connected. */
export function nextStepLabel(integration: StripeIntegration, hasUsage: boolean): string | null {
  const next = nextConnectStep(connectSteps(integration, hasUsage));
  return next === undefined ? null : NEXT_STEP_LABELS[next.id];
}
