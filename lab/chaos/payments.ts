// One-time payments of a run: bought at checkout by card or bank debit, answered by the bank, refunded in part or whole, disputed, won
// and lost. At the end each payment has given what Stripe says was paid for, less what Stripe says went back, to the unit and once.
import type Stripe from 'stripe';
import type { BalancesAnswer } from '#contracts/public/customers';
import type { Random } from '#lab/fixtures/seeded-random';
import { callAt } from './call-at.ts';
import type { StripeControl } from './stripe-control.ts';
import { PLACES, UNITS } from './workspace.ts';

const SUCCESS_URL = 'https://shop.example/thanks';
const NEEDS_ANSWER = ['warning_needs_response', 'needs_response', 'warning_under_review', 'under_review'];

/** Buys, or does something with what was bought. What the emulator refuses has not happened. */
export async function changePayments(stripe: StripeControl, customer: string, random: Random): Promise<void> {
  const dice = random.next();
  if (dice < 0.45) return buy(stripe, customer, random);
  if (dice < 0.6) return answerBank(stripe, customer, random);
  const { data } = await stripe.client.charges.list({ customer, limit: 100 });
  const paid = data.filter((charge) => charge.status === 'succeeded' && isByCard(charge));
  if (paid.length === 0) return buy(stripe, customer, random);
  const charge = random.pick(paid);
  if (dice < 0.8) await refund(stripe, charge, random);
  else if (!charge.disputed) await stripe.bank('POST', `/charges/${charge.id}/dispute`);
  else await endDispute(stripe, charge, random);
}

async function buy(stripe: StripeControl, customer: string, random: Random): Promise<void> {
  const quantity = 1 + random.upTo(4);
  const { url } = await stripe.client.checkout.sessions.create({
    mode: 'payment',
    customer,
    success_url: SUCCESS_URL,
    line_items: [{ price: stripe.topUpPriceId, quantity }],
    invoice_creation: { enabled: random.next() < 0.3 },
  });
  const method = random.next() < 0.3 ? 'sepa_debit' : 'card';
  await fetch(`${url}/pay`, { method: 'POST', body: new URLSearchParams({ method }), redirect: 'manual' });
}

async function answerBank(stripe: StripeControl, customer: string, random: Random): Promise<void> {
  const { data } = await stripe.client.paymentIntents.list({ customer, limit: 100 });
  const [waiting] = data.filter(({ status }) => status === 'processing');
  const answer = random.next() < 0.7 ? 'succeed' : 'fail';
  if (waiting !== undefined) await stripe.bank('POST', `/payment_intents/${waiting.id}`, { answer });
}

async function refund(stripe: StripeControl, charge: Stripe.Charge, random: Random): Promise<void> {
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) return;
  const amount = random.next() < 0.4 ? left : 1 + random.upTo(left);
  await stripe.client.refunds.create({ charge: charge.id, amount: Math.min(left, amount) });
}

async function endDispute(stripe: StripeControl, charge: Stripe.Charge, random: Random): Promise<void> {
  const { data } = await stripe.client.disputes.list({ charge: charge.id });
  const [open] = data.filter(({ status }) => NEEDS_ANSWER.includes(status));
  const outcome = random.next() < 0.5 ? 'won' : 'lost';
  if (open !== undefined) await stripe.bank('POST', `/disputes/${open.id}`, { outcome });
}

function isByCard({ payment_method_details: details }: Stripe.Charge): boolean {
  return details?.type === 'card';
}

/** What a payment has to have given. */
interface Funded {
  readonly amount: number;
  readonly left: number;
  readonly isFrozen: boolean;
}

export interface ComparedPayments {
  readonly baseUrl: string;
  readonly workspace: { readonly secretKey: string };
  readonly stripe: StripeControl;
}

/** Of nothing that was bought is anything used, so what goes back is all that Stripe says. */
export async function comparePayments(
  run: ComparedPayments,
): Promise<{ readonly payments: number; readonly differences: string[] }> {
  const differences: string[] = [];
  let payments = 0;
  for (const customer of run.stripe.customerIds) {
    const sessions = await allPaid(run.stripe, customer);
    if (sessions.length === 0) continue;
    const listed = await balancesOf(run, customer);
    const found = new Map(listed.map((each) => [each.source.paymentId, each]));
    if (found.size !== listed.length)
      differences.push(`${customer}: two balances of one payment: ${JSON.stringify(listed)}`);
    for (const session of sessions) {
      payments += 1;
      const { id, funded } = await fundedBy(run.stripe, session);
      const balance = found.get(id);
      found.delete(id);
      const has = {
        amount: balance?.amount ?? 0,
        left: (balance?.amount ?? 0) - (balance?.takenBack ?? 0),
        isFrozen: balance?.frozen ?? false,
      };
      // Of a payment that was lost before it was read, nothing was given.
      const isSame = has.left === funded.left && has.isFrozen === funded.isFrozen;
      const isWhole = has.amount === funded.amount || (balance === undefined && funded.left === 0);
      if (!isSame || !isWhole)
        differences.push(`${customer}: payment ${id} has ${JSON.stringify([has, funded])}`);
    }
    for (const [id, balance] of found)
      differences.push(`${customer}: nobody paid for ${id}: ${JSON.stringify(balance)}`);
  }
  return { payments, differences };
}

async function allPaid(
  { client }: StripeControl,
  customer: string,
): Promise<readonly Stripe.Checkout.Session[]> {
  const sessions: Stripe.Checkout.Session[] = [];
  for await (const each of client.checkout.sessions.list({
    ...{ customer, limit: 100 },
    expand: ['data.line_items', 'data.payment_intent.latest_charge', 'data.invoice'],
  }))
    if (each.payment_status === 'paid') sessions.push(each);
  return sessions;
}

async function fundedBy(
  stripe: StripeControl,
  session: Stripe.Checkout.Session,
): Promise<{ readonly id: string; readonly funded: Funded }> {
  const intent = session.payment_intent as Stripe.PaymentIntent;
  const charge = intent.latest_charge as Stripe.Charge;
  const quantity = session.line_items?.data.reduce((sum, line) => sum + (line.quantity ?? 0), 0) ?? 0;
  const amount = quantity * UNITS;
  const { data } = await stripe.client.disputes.list({ charge: charge.id });
  const isLost = data.some(({ status }) => status === 'lost');
  const back = isLost ? amount : Math.ceil((amount * charge.amount_refunded) / charge.amount);
  const invoice = session.invoice as Stripe.Invoice | null;
  return {
    id: invoice?.id ?? intent.id,
    funded: {
      ...{ amount, left: amount - back },
      isFrozen: data.some(({ status }) => NEEDS_ANSWER.includes(status)),
    },
  };
}

async function balancesOf({ baseUrl, workspace }: ComparedPayments, customer: string) {
  const from = { baseUrl, secretKey: workspace.secretKey, place: PLACES[0] };
  const balances: BalancesAnswer['balances'][number][] = [];
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await callAt(from, `customers/${customer}/balances?ended=1${page}`, undefined, {
      method: 'GET',
    });
    const text = await response.text();
    if (response.status === 404) return [];
    if (!response.ok) throw new Error(`The balances of ${customer} answered ${response.status}: ${text}`);
    const answer = JSON.parse(text) as BalancesAnswer;
    balances.push(...answer.balances.filter(({ source }) => source.kind === 'top-up'));
    cursor = answer.nextCursor ?? null;
  } while (cursor !== null);
  return balances;
}
