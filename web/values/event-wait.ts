/** Whether connecting Stripe still waits for an event. The quick start, the integration's guide and its card agree by this. */
import type { StripeIntegration } from '#contracts/console/stripe';

export type EventWait = 'not-started' | 'in-progress' | 'done' | 'skipped';

type Connected = Pick<StripeIntegration, 'hasWebhook' | 'firstEventAt' | 'quickstartWaitForEventSkipped'>;

/**
 * @param stripe null until Stripe is connected: nothing is waited for, whatever was called before
 * @param hasUsage whether there were calls or events, of any type and in any month
 */
export function eventWait(stripe: Connected | null, hasUsage: boolean): EventWait {
  if (stripe === null) return 'not-started';
  if (hasUsage || stripe.firstEventAt !== null) return 'done';
  if (stripe.quickstartWaitForEventSkipped) return 'skipped';
  return stripe.hasWebhook ? 'in-progress' : 'not-started';
}
