/** Reads a customer's recent payments from Stripe: as they are now, whatever an event said of one. */
import type { Stripe } from 'stripe';
import { DAY_MS } from '#engine/durations';
import type { StripeClient } from '#worker/platform/stripe';
import type { ReadPayments } from './paid-lines.ts';

/** Longer than Stripe lists events, and than a delayed method takes. Later refunds and disputes are found by what was paid then. */
const DAYS = 35;
/** The most that Stripe lists at once. A customer with more payments in this time has the newest. */
const LIMIT = 100;

/** @param intents payments of before whose refunds and disputes matter still @throws Stripe's errors */
export async function readPayments(
  stripe: StripeClient,
  customer: string,
  now: number,
  intents: readonly string[],
): Promise<ReadPayments> {
  const created = { gte: Math.floor((now - DAYS * DAY_MS) / 1000) };
  const listed = { customer, created, limit: LIMIT };
  const [sessions, invoices, charges] = await Promise.all([
    stripe.checkout.sessions.list({ ...listed, status: 'complete', expand: ['data.line_items'] }),
    stripe.invoices.list({ ...listed, status: 'paid', expand: ['data.payments'] }),
    stripe.charges.list(listed),
  ]);
  const earlier = await Promise.all(
    intents
      .filter((intent) => !charges.data.some((charge) => charge.payment_intent === intent))
      .map((intent) => stripe.charges.list({ payment_intent: intent, limit: LIMIT })),
  );
  const all = [...charges.data, ...earlier.flatMap(({ data }) => data)];
  const disputes = await Promise.all(
    all
      .filter(({ disputed }) => disputed)
      .map(({ id }) => stripe.disputes.list({ charge: id, limit: LIMIT })),
  );
  return {
    sessions: await Promise.all(sessions.data.map((session) => withLines(stripe, session))),
    invoices: await Promise.all(invoices.data.map((invoice) => withInvoiceLines(stripe, invoice))),
    charges: all,
    disputes: disputes.flatMap(({ data }) => data),
  };
}

/** Expanded lists have the first lines only. */
async function withLines(
  stripe: StripeClient,
  session: Stripe.Checkout.Session,
): Promise<Stripe.Checkout.Session> {
  if (session.line_items?.has_more === false) return session;
  const lines = await stripe.checkout.sessions.listLineItems(session.id, { limit: LIMIT });
  return { ...session, line_items: lines };
}

async function withInvoiceLines(stripe: StripeClient, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  if (!invoice.lines.has_more || invoice.id === undefined) return invoice;
  return { ...invoice, lines: await stripe.invoices.listLineItems(invoice.id, { limit: LIMIT }) };
}
