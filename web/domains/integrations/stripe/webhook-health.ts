/** Labels for what is wrong with a webhook's endpoint in Stripe. */
import type { StripeIntegration, WebhookProblem } from '#contracts/console/stripe';
import type { Tone } from '#web/ui/labels/status-label.tsx';

type Webhook = Pick<StripeIntegration, 'hasWebhook' | 'webhookManuallyAdded' | 'webhookHealth'>;

const PROBLEMS: Readonly<Record<WebhookProblem, string>> = {
  missing: 'No endpoint in your Stripe account has this URL. It may have been deleted.',
  disabled: 'The endpoint is disabled in Stripe.',
  url: 'The endpoint’s URL was changed in Stripe.',
  events: 'The endpoint doesn’t send all the event types that Tessera needs.',
  version: 'The endpoint uses a different version of Stripe’s API.',
  secret: 'The signing secret doesn’t match. It may have been rolled in Stripe.',
  duplicate: 'Several endpoints have this URL, so Stripe sends each event more than once.',
  unreadable:
    'Events are missing, but the key can’t read webhook endpoints, so Tessera can’t tell why. Allow the key to read them in Stripe.',
};

/** In sentences; empty while nothing is wrong. */
export function webhookProblems({ webhookHealth }: Webhook): readonly string[] {
  return (webhookHealth?.problems ?? []).map((problem) => PROBLEMS[problem]);
}

export function webhookState(webhook: Webhook): { readonly label: string; readonly tone: Tone } {
  const { hasWebhook, webhookManuallyAdded } = webhook;
  if (webhookProblems(webhook).length > 0) return { label: 'Needs attention', tone: 'bad' };
  if (!hasWebhook) return { label: 'No webhook: changes in Stripe do not arrive', tone: 'waiting' };
  return { label: webhookManuallyAdded ? 'Added manually' : 'Created in Stripe', tone: 'good' };
}
