/**
 * Consumer of stripe.event-received: fetches the objects that the events are about and stores their current state, never
 * the state in an event. Then ledgers are updated and the events are recorded in the organisation's event stream.
 * Messages may be duplicated, delayed or reordered.
 *
 * Events of one object share one call to Stripe, and different objects are fetched at the same time. What was fetched at
 * about the same time is stored together (complete-events.ts). While Stripe does not answer for an account, its events stay
 * in the outbox until they are released (release-events.ts).
 */
import { eq, sql } from 'drizzle-orm';
import type { StripeEventReceived } from '#runtime/messages';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import {
  hasSameKey,
  isHeld,
  isOfAccount,
  LONGEST_PAUSE_MS,
  retryAtAfter,
  setConnectionError,
} from '../integration/connection-error.ts';
import { findIntegrationRow, type StripeIntegrationRow } from '../integration/integration-store.ts';
import { openPacedClient } from '../integration/open-integration-client.ts';
import { planRelease } from '../integration/plan-release.ts';
import { getStripeFailure, isTransient, type StripeFailure } from '../integration/stripe-failure.ts';
import type { ReadCustomer } from '../sync/read-objects.ts';
import { fetchCustomer } from '../sync/refresh-customer.ts';
import { refreshProduct } from '../sync/refresh-product.ts';
import type { StripeSource } from '../sync/stripe-source.ts';
import { reconcileTopUps } from '../top-ups/reconcile-top-ups.ts';
import { AccountWaits } from './account-calls.ts';
import { type EventGroup, type EventSource, finishEvents, shareWork } from './complete-events.ts';
import { isPaymentEvent } from './store-events.ts';

/** Calls for one integration: less than the connections that a Worker may have, so that others go on. */
const AT_ONCE = 5;
/** Somebody waits for the result of these calls. */
const TIMEOUT_MS = 6_000;
/** A missing permission needs user action; a new key makes waiting events due immediately. */
const REFUSED_PAUSE_MS = 6 * 60 * 60_000;
/** Reads of one customer: enough to wait out the clock difference between two Workers. */
const MAX_TRIES = 3;
/** If Stripe limits calls without saying for how long. */
const LIMITED_PAUSE_MS = 2_000;

/** @returns a promise per message, in order; a rejected one may be retried */
export function processEvents(
  ctx: WorkContext,
  messages: readonly StripeEventReceived[],
): readonly Promise<unknown>[] {
  const works = new Map<StripeEventReceived, Promise<void>>();
  const byIntegration = Map.groupBy(groupByObject(messages), ([{ integrationId }]) => integrationId);
  for (const [integrationId, groups] of byIntegration) {
    const opening = findIntegrationRow(ctx.db, integrationId).then((row) =>
      row === null ? null : openSource(ctx, row, AT_ONCE),
    );
    for (const group of groups) {
      const work = opening.then(async (source) => {
        if (source === null) await finishEvents(ctx, integrationId, group);
        else await processGroup(source, group);
      });
      for (const message of group) works.set(message, work);
    }
  }
  return messages.map((message) => works.get(message) ?? Promise.resolve());
}

/** Two integrations may have objects with the same id. */
export function groupByObject(messages: readonly StripeEventReceived[]): EventGroup[] {
  const byObject = Map.groupBy(
    messages,
    ({ integrationId, event }) => `${integrationId} ${event.customerId ?? ''} ${event.productId ?? ''}`,
  );
  return [...byObject.values()].flatMap(([first, ...others]): EventGroup[] =>
    first === undefined ? [] : [[first, ...others]],
  );
}

/** @param atOnce the calls to Stripe that may be under way at the same time */
export async function openSource(
  ctx: WorkContext,
  integration: StripeIntegrationRow,
  atOnce: number,
): Promise<EventSource> {
  const stripe = await openPacedClient(ctx, integration, { timeoutMs: TIMEOUT_MS });
  return shareWork({ ctx, integration, stripe }, atOnce);
}

/** If they are not done, events wait in the outbox: for themselves, or because the account does not answer. */
export type GroupOutcome = 'done' | 'waits' | 'account-waits';

export async function processGroup(source: EventSource, group: EventGroup): Promise<GroupOutcome> {
  const { ctx, integration } = source;
  const { open, known } = await source.states.run(group);
  if (open.length === 0) {
    await finishEvents(ctx, integration.id, group);
    return 'done';
  }
  const { retryAt } = integration;
  if (retryAt !== null && isHeld(integration, ctx.clock())) {
    await planRelease(ctx, integration, retryAt);
    return 'account-waits';
  }
  try {
    await readAndComplete(source, group, open, known);
  } catch (error) {
    if (error instanceof AccountWaits) return 'account-waits';
    const failure = getStripeFailure(error);
    return postpone(source, group, failure);
  }
  for (const { event } of open) logAge(ctx, integration, event);
  return 'done';
}

/** @param known the customer, if it needs no call @throws Stripe's errors, and AccountWaits */
async function readAndComplete(
  source: EventSource,
  group: EventGroup,
  open: readonly StripeEventReceived[],
  known: ReadCustomer | null,
): Promise<void> {
  const { ctx, integration, calls, completions } = source;
  const { customerId, productId } = group[0].event;
  if (customerId !== null && open.some(({ event }) => isPaymentEvent(event.type)))
    await calls.run(() => reconcileTopUps(source, customerId));
  const createdAt = Math.min(...open.map((message) => message.event.createdAt));
  if (known !== null || customerId === null) {
    const stored = known ?? (await calls.run(() => refreshProduct(source, productId ?? '', createdAt)));
    await completions.run({ group, open, reading: null, stored, isLastTry: true });
    return;
  }
  for (let tries = 1; ; tries++) {
    const reading = await calls.run(async () => {
      const readAt = ctx.clock();
      return { readAt, customer: await fetchCustomer(source, customerId, createdAt) };
    });
    const { customer } = reading;
    const isOurs = customer.livemode === integration.livemode;
    const newerReadAt = await completions.run({
      group,
      open,
      isLastTry: tries === MAX_TRIES,
      ...(isOurs ? { reading, stored: customer } : { reading: null, stored: null }),
    });
    if (newerReadAt === null) return;
    // Another Worker with a fast clock stored its read, possibly an older one. Read again after that instant.
    await scheduler.wait(Math.min(Math.max(newerReadAt - ctx.clock() + 1, 0), 2_000));
  }
}

/** How old what Stripe reported is when checks know it, and how much of that Tessera has added. */
function logAge(
  { log, clock }: WorkContext,
  { id, orgId }: StripeIntegrationRow,
  { type, createdAt, receivedAt }: StripeEventReceived['event'],
): void {
  const now = clock();
  log.info('Stripe event processed', {
    orgId,
    integrationId: id,
    type,
    ageMs: now - createdAt,
    waitedMs: now - receivedAt,
  });
}

/** The events stay in the outbox; the connection error is shown in the console. */
async function postpone(
  { ctx, integration }: StripeSource,
  group: EventGroup,
  failure: StripeFailure,
): Promise<GroupOutcome> {
  const { db, log, clock } = ctx;
  const now = clock();
  const isLimit = 'retryAfterMs' in failure;
  const limitedUntil = isLimit ? now + (failure.retryAfterMs ?? LIMITED_PAUSE_MS) : null;
  const retryAt = limitedUntil ?? retryAtAfter(integration, failure, now);
  log.info('Stripe events postponed', { kind: failure.kind, orgId: integration.orgId, retryAt });
  const unmet = await commitIf(db, { hasKey: hasSameKey(integration) }, [
    ...(limitedUntil === null ? [delay(ctx, group, failure, now, retryAt)] : []),
    // Stripe's own limit: other calls wait as well.
    ...(failure.kind === 'busy' && limitedUntil !== null
      ? [
          db
            .update(stripeIntegration)
            .set({ callsUntil: sql`max(${stripeIntegration.callsUntil}, ${limitedUntil})` })
            .where(eq(stripeIntegration.id, integration.id)),
        ]
      : []),
    ...setConnectionError(db, integration, failure, now),
  ]);
  if (unmet !== null) {
    // The key was replaced meanwhile: the events are tried with the new one.
    await planRelease(ctx, integration);
    return 'account-waits';
  }
  // With a rejected key, the next successful poll or a new key releases the events.
  if (isTransient(failure) && retryAt !== null) await planRelease(ctx, integration, retryAt);
  return retryAt === null ? 'waits' : 'account-waits';
}

/**
 * The statement that lets the other events of the account go first. If Stripe does not answer, it is asked again at `retryAt`, with the
 * event that was tried longest ago. A rejected key holds the whole account: its events are due as soon as that has ended.
 */
function delay(
  { db }: WorkContext,
  group: EventGroup,
  failure: StripeFailure,
  now: number,
  retryAt: number | null,
): Statement {
  const dueAt = isOfAccount(failure)
    ? Math.min(retryAt ?? now, now + LONGEST_PAUSE_MS)
    : now + REFUSED_PAUSE_MS;
  return db
    .update(outbox)
    .set({ sentAt: dueAt, attempts: sql`${outbox.attempts} + 1` })
    .where(
      sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(group.map(({ outboxId }) => outboxId))}))`,
    );
}
