// Helpers of billing tests: buy Grow at the emulator's checkout, use up API calls, deliver Stripe's events.
import { runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import Stripe from 'stripe';
import { expect } from 'vitest';
import type { Billing } from '#contracts/console/billing';
import { dayOf } from '#engine/usage/calendar';
import { groupsOf, someEvents } from '#lab/fixtures/recorded-events';
import { eventStreamStub } from '#objects/stubs';
import { anonymously, ORIGIN } from './accounts.ts';
import { auditTrail } from './stored-state.ts';
import { platformStripeAccount } from './stripe.ts';
import { deliver, outboxMessages, type Tenant } from './tenants.ts';

/** Opens a checkout; answers its address and its id. */
export async function openCheckout(tenant: Tenant): Promise<{ url: string; sessionId: string }> {
  const { redirectToUrl: url } = await tenant.make<{ redirectToUrl: string }>('POST', '/checkout-session', {
    plan: 'grow',
  });
  return { url, sessionId: /cs_\w+/.exec(url)?.[0] ?? 'none' };
}

/** Presses Pay on the checkout's page; answers where the browser is sent then. */
export async function pay(url: string, method: 'bacs_debit' | 'card' = 'card'): Promise<URL> {
  const paid = await fetch(`${url}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `method=${method}`,
    redirect: 'manual',
  });
  await paid.arrayBuffer();
  return new URL(paid.headers.get('location') ?? 'missing:');
}

/** Calls as the return page does. @param address the client's; one of its own unless given, since the route is limited by it */
export async function fulfil(
  sessionId: string,
  address: string = crypto.randomUUID(),
): Promise<{ status: number; body: unknown }> {
  const response = await anonymously('/api/payments/checkout-session-fulfillment', {
    json: { sessionId },
    headers: { 'cf-connecting-ip': address },
  });
  return { status: response.status, body: await response.json() };
}

/** A tenant on grow, through checkout and return page. */
export async function subscribe(tenant: Tenant): Promise<{ sessionId: string; subscriptionId: string }> {
  const { url, sessionId } = await openCheckout(tenant);
  await pay(url);
  expect(await fulfil(sessionId)).toEqual({ status: 200, body: { success: true, orgId: tenant.orgId } });
  const { stripe } = await platformStripeAccount();
  const { subscription } = await stripe.checkout.sessions.retrieve(sessionId);
  return { sessionId, subscriptionId: String(subscription) };
}

export function billingOf(tenant: Tenant): Promise<Billing> {
  return tenant.make<Billing>('GET', '/billing');
}

/** The events that the platform account has of an object, oldest first. */
export async function eventsOf(objectId: string): Promise<Stripe.Event[]> {
  const { stripe } = await platformStripeAccount();
  const found: Stripe.Event[] = [];
  for await (const event of stripe.events.list({ limit: 100 })) {
    if ((event.data.object as { id?: string }).id === objectId) found.push(event);
    if (found.length > 0 && found.length >= 20) break;
  }
  return found.reverse();
}

export interface Signing {
  readonly secret?: string;
  /** Unix seconds. */
  readonly timestamp?: number;
}

/** Posts an event to the webhook as Stripe does: signed by the SDK, without a session. */
export async function postEvent(event: object, { secret, timestamp }: Signing = {}): Promise<Response> {
  const payload = JSON.stringify(event);
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: secret ?? env.STRIPE_WEBHOOK_SECRET ?? '',
    ...(timestamp === undefined ? {} : { timestamp }),
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });
  return exports.default.fetch(
    new Request(`${ORIGIN}/api/webhooks/stripe-billing`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body: payload,
    }),
  );
}

/** Counts so many API calls of now, as if they had been recorded: without the events. Before anything is recorded. */
export async function seedUsage({ orgId }: Pick<Tenant, 'orgId'>, total: number, at = Date.now()) {
  const stub = await eventStreamStub(env, orgId, 'weur');
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec(
      `INSERT INTO usage (day_at, env_id, type, total) VALUES (?, 'env_seed', 'ac', ?)
       ON CONFLICT DO UPDATE SET total = total + excluded.total`,
      dayOf(at),
      total,
    );
  });
}

/** Records so many API calls. */
export async function recordCalls({ orgId }: Pick<Tenant, 'orgId'>, count: number, at = Date.now()) {
  const stub = await eventStreamStub(env, orgId, 'weur');
  await stub.appendGroups({ orgId, groups: groupsOf(someEvents(count, () => ({ time: at }))) });
}

/** The actions of its audit log that concern billing. */
export async function actionsOf(tenant: Tenant): Promise<string[]> {
  return (await auditTrail(tenant)).map(({ action }) => action).filter((each) => each.startsWith('billing.'));
}

/** Works off what waits in the outbox for Stripe's queue. */
export async function workOff(tenant: Tenant): Promise<void> {
  await deliver('tessera-stripe', await outboxMessages(tenant.orgId));
  await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
}

/** For how many days its event stream keeps events, as stored there. */
export async function retentionOf({ orgId }: Tenant): Promise<string | undefined> {
  const stub = await eventStreamStub(env, orgId, 'weur');
  return runInDurableObject(stub, (_, { storage }) => {
    const [row] = storage.sql
      .exec<{ value: string }>("SELECT value FROM setting WHERE name = 'retention_days'")
      .toArray();
    return row?.value;
  });
}
