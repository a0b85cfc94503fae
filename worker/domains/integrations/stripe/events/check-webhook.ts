/**
 * Looks up an integration's webhook endpoint in Stripe, so that the console can tell why events do not arrive: it may have been
 * deleted, disabled, moved to another URL, narrowed to other events, or signed with another secret. One call, made only when polling
 * found what the webhook should have brought, or to learn that a known problem has ended.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import {
  ALL_STRIPE_EVENTS,
  STRIPE_WEBHOOK_EVENTS,
  type WebhookHealth,
  type WebhookProblem,
} from '#contracts/console/stripe';
import type { Statement } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { STRIPE_API_VERSION, type StripeClient } from '#worker/platform/stripe';
import { type StripeIntegrationRow, webhookUrlOf } from '../integration/integration-store.ts';
import { getStripeFailure } from '../integration/stripe-failure.ts';
import { readTopUps } from '../top-ups/top-up-store.ts';

/**
 * @param hasMissed whether polling found events that were not received
 * @returns the statements that store what was found; none without a webhook, a reason to look, or an answer
 */
export async function checkWebhook(
  { db, now, settings }: WorkContext,
  stripe: StripeClient,
  integration: StripeIntegrationRow,
  hasMissed: boolean,
): Promise<Statement[]> {
  const { id, webhookSecret, webhookHealth, webhookRefusedAt } = integration;
  const known = webhookHealth?.problems ?? [];
  if (webhookSecret === null) return [];
  if (!hasMissed && known.length === 0 && webhookRefusedAt === null) return [];
  const isPaid = (await readTopUps(db, id)).length > 0;
  const needed = isPaid ? ALL_STRIPE_EVENTS : STRIPE_WEBHOOK_EVENTS;
  const found = await lookUp(stripe, integration, webhookUrlOf(settings.baseUrl, id), needed);
  if (found === null) return [];
  // Anyone who knows the URL can send a wrong signature: alone it proves nothing.
  const isSecretRefused = webhookRefusedAt !== null && (hasMissed || known.includes('secret'));
  const isReadable = !found.problems.some((problem) => problem === 'missing' || problem === 'unreadable');
  const health: WebhookHealth = {
    problems: [...found.problems, ...(isSecretRefused && isReadable ? (['secret'] as const) : [])],
    apiVersion: found.apiVersion,
    checkedAt: now,
  };
  // A webhook that was replaced meanwhile is another one.
  const isAsRead = sql`${stripeIntegration.webhookSecret} IS ${webhookSecret}`;
  return [
    db
      .update(stripeIntegration)
      .set({ webhookHealth: health })
      .where(and(eq(stripeIntegration.id, id), isAsRead)),
  ];
}

type Found = Pick<WebhookHealth, 'problems' | 'apiVersion'>;

/** @returns null if Stripe does not answer now: the next poll asks again */
async function lookUp(
  stripe: StripeClient,
  { webhookEndpointId }: StripeIntegrationRow,
  url: string,
  needed: readonly string[],
): Promise<Found | null> {
  try {
    // Stripe allows 16 per mode, so this is all of them; one added manually has no known id.
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    return describeEndpoints(
      data.filter((endpoint) => endpoint.id === webhookEndpointId || endpoint.url === url),
      url,
      needed,
    );
  } catch (error) {
    const failure = getStripeFailure(error);
    return failure.kind === 'not-allowed' ? { problems: ['unreadable'], apiVersion: null } : null;
  }
}

/** Of several, the one with the fewest problems counts. */
function describeEndpoints(
  endpoints: readonly Stripe.WebhookEndpoint[],
  url: string,
  needed: readonly string[],
): Found {
  const described = endpoints.map((endpoint) => ({
    problems: problemsOf(endpoint, url, needed),
    apiVersion: endpoint.api_version,
  }));
  const [best] = described.sort((one, other) => one.problems.length - other.problems.length);
  if (best === undefined) return { problems: ['missing'], apiVersion: null };
  const delivering = endpoints.filter((each) => each.url === url && each.status === 'enabled');
  return delivering.length > 1 ? { ...best, problems: [...best.problems, 'duplicate'] } : best;
}

function problemsOf(
  endpoint: Stripe.WebhookEndpoint,
  url: string,
  needed: readonly string[],
): WebhookProblem[] {
  const { status, url: actualUrl, enabled_events: events, api_version: version } = endpoint;
  const sendsAll = events.includes('*') || needed.every((type) => (events as string[]).includes(type));
  const problems: [WebhookProblem, boolean][] = [
    ['disabled', status !== 'enabled'],
    ['url', actualUrl !== url],
    ['events', !sendsAll],
    ['version', version !== STRIPE_API_VERSION],
  ];
  return problems.flatMap(([problem, isPresent]) => (isPresent ? [problem] : []));
}
