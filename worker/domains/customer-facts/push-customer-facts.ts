/**
 * Pushes the current facts of customers to their ledgers, in all affected environments and in every data location that is
 * enabled or still being retired (it may be enabled again). A ledger that does not know a customer ignores the push. Facts
 * are read from D1 here, so messages may be duplicated or out of order. See worker/domains/customer-facts/README.md, "Customer facts".
 *
 * An invocation pushes as many customers as it has calls for (ledger-calls.ts), and sends a message for the others.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CustomerChanged, StripeCustomersChanged, WebhookCustomersChanged } from '#runtime/messages';
import { bytesOf, MAX_MESSAGE_BYTES, sendMessage } from '#runtime/send-message';
import { outbox } from '#worker/db/schema/operations';
import { isToldByWebhook } from '#worker/db/told-by-webhook';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone, outboxRowsIf } from '#worker/queue/outbox';
import {
  type AffectedEnvironment,
  readAffectedEnvironments,
  readCustomersByAlias,
} from './affected-environments.ts';
import { decideEmailOwners } from './decide-email-owners.ts';
import { ledgerCallsOf } from './ledger-calls.ts';
import { kindOf } from './load-customer-facts.ts';
import { renewWordsOf } from './renew-words-of.ts';
import { callsFor, pushToLedgers, readUsageSince } from './update-ledgers.ts';

/** @throws AggregateError if a push failed. The queue retries; a repeated push changes nothing. */
export async function pushCustomerFacts(ctx: WorkContext, message: CustomerChanged): Promise<void> {
  const customers = message.customers ?? [message.customer];
  const environments = await readAffectedEnvironments(ctx.db, message.orgId, message.environmentId);
  await pushPart(ctx, { message, environments, customers });
}

/** After a change of customers in Stripe. @throws AggregateError as pushCustomerFacts */
export async function pushChangedCustomers(ctx: WorkContext, message: StripeCustomersChanged): Promise<void> {
  // Emails first: the facts of an id depend on whether its email is decided.
  const { email = [], id = [] } = Object.groupBy(message.customers, (each) =>
    kindOf(each) === 'email' ? 'email' : 'id',
  );
  const customers = message.part === undefined ? [...email, ...id] : message.customers;
  const environments = await readAffectedEnvironments(ctx.db, message.orgId, null);
  await pushPart(ctx, { message, environments, customers });
}

interface Work {
  readonly message: CustomerChanged | StripeCustomersChanged;
  readonly environments: readonly AffectedEnvironment[];
  /** Canonical identifiers, in the order in which they are pushed. */
  readonly customers: readonly string[];
}

async function pushPart(ctx: WorkContext, work: Work): Promise<void> {
  const { message, environments, customers } = work;
  const { db } = ctx;
  const { orgId } = message;
  const calls = ledgerCallsOf(ctx);
  const callsOf = (customer: string) => callsFor(customer, environments);
  const [own, later] = calls.split(customers, callsOf);
  if (own.length === 0 && later.length > 0) {
    await sendMessage(ctx.env, message);
    return;
  }
  const listed = new Set(customers);
  const sharing = (await readCustomersByAlias(db, orgId, own)).filter((each) => !listed.has(each));
  // First: a search does not wait for ledgers.
  await renewWordsOf(db, orgId, [...own, ...sharing]);
  const failures: unknown[] = [];
  try {
    if (message.type === 'stripe.customers-changed') await decideOwners(ctx, orgId, environments, own);
  } catch (error) {
    // The facts are known already, and the next attempt decides again.
    failures.push(error);
  }
  const [also, notYet] = later.length === 0 ? calls.split(sharing, callsOf) : [[], sharing];
  const pushed = [...own, ...also];
  failures.push(...(await pushToLedgers(ctx, orgId, environments, pushed)));
  await tellWebhooks(ctx, work, pushed);
  await proceed(ctx, message, { failures, pushed, rest: [...new Set([...notYet, ...later])] });
}

/** Customers of one message: each is compared in every environment. */
const TOLD_AT_ONCE = 100;

/** Messages for webhooks, if any is told of customers. A part that is repeated replaces its own. */
async function tellWebhooks(
  { db, env, clock, waitUntil }: WorkContext,
  { message, environments }: Work,
  customers: readonly string[],
): Promise<void> {
  const { orgId } = message;
  const environmentId = 'environmentId' in message ? message.environmentId : null;
  const messages: WebhookCustomersChanged[] = [];
  for (let from = 0; from < customers.length && environments.length > 0; from += TOLD_AT_ONCE) {
    const outboxId = `${message.outboxId}-told-${message.part ?? 0}-${from}`;
    const some = customers.slice(from, from + TOLD_AT_ONCE);
    messages.push({ type: 'webhook.customers-changed', outboxId, orgId, environmentId, customers: some });
  }
  if (messages.length === 0) return;
  const isTold = isToldByWebhook(orgId, 'customer.entitlements_changed');
  const written = await outboxRowsIf(db, messages, isTold, clock());
  const ids = new Set(written.map(({ id }) => id));
  for (const each of messages) if (ids.has(each.outboxId)) waitUntil(sendMessage(env, each));
}

interface Outcome {
  readonly failures: readonly unknown[];
  readonly pushed: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Ends the work, or sends the message for the next part. Customers that could not be pushed everywhere come again after all
 * others, when the outbox is resent: a data location that is out of reach does not hold up the others.
 * @throws AggregateError if the only part failed
 */
async function proceed(
  ctx: WorkContext,
  message: CustomerChanged | StripeCustomersChanged,
  { failures, pushed, rest }: Outcome,
): Promise<void> {
  const failed = [...(message.failed ?? []), ...(failures.length > 0 ? pushed : [])];
  const isLast = rest.length === 0;
  if (isLast && failed.length === 0) {
    await outboxDone(ctx.db, message.outboxId);
    return;
  }
  const part = (message.part ?? 0) + 1;
  const next = isLast
    ? { ...message, part, customers: failed, failed: [] }
    : { ...message, part, customers: rest, failed };
  const isOnlyPart = isLast && message.part === undefined;
  if (failures.length > 0 && (isOnlyPart || bytesOf(next) > MAX_MESSAGE_BYTES)) {
    throw new AggregateError(
      failures,
      `${failures.length} ledgers could not be notified of changed customers`,
    );
  }
  if (failures.length > 0) {
    ctx.log.warn('ledgers could not be notified of changed customers, the outbox repeats it', {
      type: message.type,
      orgId: message.orgId,
      ledgers: failures.length,
      error: failures[0],
    });
  }
  // Attempts are kept: pauses grow while a location is out of reach.
  const advanced = await ctx.db
    .update(outbox)
    .set({ payload: next, sentAt: ctx.clock() })
    .where(isCurrent(message))
    .returning({ id: outbox.id });
  if (advanced.length > 0 && !isLast) await sendMessage(ctx.env, next);
}

/** Condition: no duplicate of the message was faster. */
function isCurrent({ outboxId, part }: CustomerChanged | StripeCustomersChanged): SQL | undefined {
  return and(eq(outbox.id, outboxId), sql`${outbox.payload} ->> 'part' IS ${part ?? null}`);
}

/** Which of the changed emails are aliases. Ledgers know since when an email has usage of its own. */
async function decideOwners(
  ctx: WorkContext,
  orgId: string,
  environments: readonly AffectedEnvironment[],
  customers: readonly string[],
): Promise<void> {
  const emails = customers.filter((each) => kindOf(each) === 'email');
  await decideEmailOwners(ctx, orgId, emails, (names, isLive) =>
    readUsageSince(
      ctx,
      environments.filter(({ type }) => isLive || type !== 'live'),
      names,
    ),
  );
}
