/**
 * Makes a customer's balances what its payments say now: gives what was paid for and is linked, takes back what was refunded as far as it
 * is left, freezes what is disputed. Repeating it changes nothing, so any event about a payment is only a reason to look.
 */
import { and, eq, inArray, isNotNull, or } from 'drizzle-orm';
import type { PaymentsRead } from '#contracts/console/top-ups';
import { newBalance, takeableOf } from '#engine/access/balance-record';
import { NOWHERE } from '#engine/access/place';
import { anniversaryOf } from '#engine/metering/billing-window';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { customerBalance } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeIntegration } from '#worker/db/schema/stripe';
import {
  asBalance,
  type BalanceRow,
  readUsedBalances,
} from '#worker/domains/customers/balances/balance-rows';
import { adjustBalance } from '#worker/domains/customers/balances/change-balance';
import { type BalanceScope, giveBalance } from '#worker/domains/customers/balances/give-balance';
import { resolveAlias } from '#worker/domains/customers/entries/resolve-alias';
import { ApiError } from '#worker/http/api-error';
import type { PlacedContext } from '#worker/http/request-context';
import { describeFailure, stripeFailureOf } from '../integration/stripe-failure.ts';
import type { StripeSource } from '../sync/stripe-source.ts';
import { amountOf, decideTopUps, type TopUpAction, unlinkedPrices } from './decide-top-ups.ts';
import { type Payment, paymentsOf } from './paid-lines.ts';
import { readPayments } from './read-payments.ts';
import { readTopUps } from './top-up-store.ts';

/** One gives, the next adjusts what was refunded already; others only while somebody changes the balances. */
const MAX_ROUNDS = 5;

/** @throws Stripe's errors, except that the key may not read payments, which the integration's page says */
export async function reconcileTopUps(source: StripeSource, customerId: string): Promise<void> {
  const { integration, stripe, ctx } = source;
  const topUps = await readTopUps(ctx.db, integration.id);
  const known = await readFunded(source, [], customerId);
  if (topUps.length === 0 && known.length === 0) return;
  let payments: Payment[];
  try {
    const intents = known.flatMap(({ paymentIntent }) => paymentIntent ?? []);
    payments = paymentsOf(await readPayments(stripe, customerId, ctx.clock(), [...new Set(intents)]));
  } catch (error) {
    const failure = stripeFailureOf(error);
    if (failure?.kind !== 'not-allowed') throw error;
    await note(source, { at: ctx.clock(), problem: describeFailure(failure), unlinked: {} });
    return;
  }
  const names = new Map(topUps.map(({ priceId, priceName }) => [priceId, priceName]));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const rows = await readFunded(source, payments, customerId);
    const actions = decideTopUps(payments, topUps, rows);
    if (actions.length === 0) break;
    for (const action of actions) {
      if (action.kind === 'give') await give(source, customerId, action, names);
      else await adjust(source, rows, action);
    }
  }
  const unlinked = Object.fromEntries(unlinkedPrices(payments, topUps));
  const before = integration.paymentsRead?.unlinked ?? {};
  await note(source, {
    at: ctx.clock(),
    problem: null,
    unlinked: { ...withoutLinked(before, names), ...unlinked },
  });
}

function withoutLinked(unlinked: PaymentsRead['unlinked'], linked: ReadonlyMap<string, string>) {
  return Object.fromEntries(Object.entries(unlinked).filter(([priceId]) => !linked.has(priceId)));
}

/** By this customer, or by these payments: a balance may have moved to another name since. */
async function readFunded(
  { ctx, integration }: StripeSource,
  payments: readonly Payment[],
  customerId: string,
): Promise<(BalanceRow & { readonly paymentIntent: string | null })[]> {
  const ids = payments.map(({ id }) => id);
  const rows = await ctx.db
    .select()
    .from(customerBalance)
    .where(
      and(
        eq(customerBalance.integrationId, integration.id),
        isNotNull(customerBalance.paymentId),
        or(
          ids.length === 0 ? undefined : inArray(customerBalance.paymentId, ids),
          and(
            eq(customerBalance.orgId, integration.orgId),
            eq(customerBalance.customerIdentifier, customerId),
          ),
        ),
      ),
    );
  return rows.map(asBalance);
}

async function give(
  source: StripeSource,
  customerId: string,
  { payment, line, topUp }: Extract<TopUpAction, { kind: 'give' }>,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const { ctx, integration } = source;
  const { propertyId, category, priority, lastsMonths, paysOverage } = topUp;
  const endsAt = lastsMonths === null ? null : anniversaryOf(payment.paidAt, lastsMonths);
  // Paid for, and already over: nothing can be drawn from it any more.
  if (endsAt !== null && endsAt <= ctx.clock()) return;
  const terms = { propertyId, category, priority, endsAt, startsAt: payment.paidAt };
  const costBasis = { currency: line.currency, amountMinor: line.amountMinor };
  const reason = `Paid: ${names.get(line.priceId) ?? line.priceId}`;
  const given = { ...terms, paysOverage, amount: amountOf(line, topUp), costBasis, reason };
  const record = {
    ...newBalance(given, { id: ctx.newId('bal'), name: null, kind: 'top-up' }, ctx.clock()),
    ...{ integrationId: integration.id, paymentId: payment.id },
  };
  const paid = { livemode: integration.livemode, paymentIntent: payment.intent, paymentLine: line.id };
  try {
    await giveBalance(placed(ctx), scopeOf(source), { identifier: customerId, environmentId: null }, record, {
      paid,
    });
  } catch (error) {
    // Another event of the payment has given it, or the customer has as many balances as are allowed.
    if (!(error instanceof ApiError) || error.errorType !== 'conflict') throw error;
    ctx.log.warn('a payment gave no balance', {
      orgId: integration.orgId,
      integrationId: integration.id,
      paymentId: payment.id,
      error,
    });
  }
}

async function adjust(
  source: StripeSource,
  rows: readonly BalanceRow[],
  { id, wish, isFrozen, source: said }: Extract<TopUpAction, { kind: 'adjust' }>,
): Promise<void> {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) return;
  const taken = wish === 0 ? NOTHING_TAKEN : await takenAnywhere(source, row);
  const applied = takeableOf(row, taken, wish);
  const { used } = taken;
  const reason = wish > 0 ? 'Refunded in Stripe' : isFrozen ? 'Disputed in Stripe' : 'Dispute won in Stripe';
  const adjusted = { applied, used, isFrozen, source: { ...said, kind: row.source.kind }, reason };
  await adjustBalance(placed(source.ctx), scopeOf(source), row, adjusted);
}

const NOTHING_TAKEN = { used: 0, held: 0 };

/** In the environment that has taken most of it: nobody's usage is taken back. @throws {ApiError} unavailable */
async function takenAnywhere(source: StripeSource, row: BalanceRow): Promise<typeof NOTHING_TAKEN> {
  const { ctx, integration } = source;
  const { orgId } = integration;
  const isTheirs = integration.livemode
    ? liveEnvironment(orgId)
    : and(liveEnvironment(orgId), inArray(environment.type, ['preview', 'test']));
  let most = NOTHING_TAKEN;
  for (const environmentId of await listEnvironmentIds(ctx.db, isTheirs)) {
    const resolved = await resolveAlias(ctx.db, { orgId }, environmentId, row.customerIdentifier);
    const context = { ...placed(ctx), requestId: row.id };
    const readUsed = await readUsedBalances(context, { orgId }, environmentId, resolved);
    const { used, held, isDeployed } = readUsed(row);
    if (used === null && isDeployed) throw new ApiError('unavailable', 'Usage could not be read');
    if (used !== null && used + held > most.used + most.held) most = { used, held };
  }
  return most;
}

async function note({ ctx, integration }: StripeSource, paymentsRead: PaymentsRead): Promise<void> {
  await ctx.db
    .update(stripeIntegration)
    .set({ paymentsRead })
    .where(eq(stripeIntegration.id, integration.id));
}

function placed(ctx: StripeSource['ctx']): PlacedContext {
  return { ...ctx, place: NOWHERE };
}

function scopeOf({ integration }: StripeSource): BalanceScope {
  return { orgId: integration.orgId, actor: null, isPushedLater: true };
}
