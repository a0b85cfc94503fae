/** What the console says of a sync, and of what is left to do. */
import type { StripeIntegration, SyncJob, SyncType } from '#contracts/stripe';
import { formatNumber } from '../../../ui/format.ts';
import type { Tone } from '../../../ui/tone-word.tsx';
import { connectSteps, nextConnectStep } from './connect-steps.ts';
import { isSyncing } from './queries.ts';

export const SYNC_NOUNS: Readonly<Record<SyncType, string>> = {
  'stripe-customer': 'Customers',
  'stripe-product': 'Products',
};

/** 'Running', 'Waiting for Stripe', 'Finished', 'Failed', 'Never run'. */
export function syncWords(job: SyncJob | undefined): { readonly words: string; readonly tone: Tone } {
  if (job === undefined) return { words: 'Never run', tone: 'quiet' };
  if (job.status === 'finished') {
    return job.failed > 0
      ? { words: 'Finished with failures', tone: 'waiting' }
      : { words: 'Finished', tone: 'good' };
  }
  if (job.status === 'failed') return { words: 'Failed', tone: 'bad' };
  return job.waitsUntil === null
    ? { words: 'Running', tone: 'good' }
    : { words: 'Waiting for Stripe', tone: 'waiting' };
}

/** Both kinds of sync in one word, the worst first. */
export function syncSummary(integration: Pick<StripeIntegration, 'syncJobs'>): {
  readonly words: string;
  readonly tone: Tone;
  readonly isRunning: boolean;
} {
  const { syncJobs } = integration;
  const isRunning = isSyncing(integration);
  if (isRunning) {
    const isWaiting = syncJobs.some(({ waitsUntil }) => waitsUntil !== null);
    return isWaiting
      ? { words: 'Sync waits for Stripe', tone: 'waiting', isRunning }
      : { words: 'Sync runs', tone: 'good', isRunning };
  }
  if (syncJobs.some(({ status }) => status === 'failed')) {
    return { words: 'Sync failed', tone: 'bad', isRunning };
  }
  return syncJobs.length === 0
    ? { words: 'Never synced', tone: 'quiet', isRunning }
    : { words: 'Synced', tone: 'good', isRunning };
}

export function countWords(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const NEXT_WORDS = {
  key: 'Enter the secret key',
  webhook: 'Create the webhook',
  sync: 'Sync customers and products',
  event: 'Wait for the first event',
} as const;

/** What is left to do before an account is connected; null: nothing. */
export function nextWords(integration: StripeIntegration): string | null {
  const next = nextConnectStep(connectSteps(integration));
  return next === undefined ? null : NEXT_WORDS[next.id];
}
