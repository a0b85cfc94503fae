/**
 * The database work of an integration's events: finding out which groups of events still have to be processed, and completing
 * them: what was read is stored, ledgers are updated, the events are recorded in the organisation's event stream, and their
 * outbox rows deleted. Groups that are processed at the same time share it. Everything here may be repeated.
 */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { SharedRounds } from '#engine/shared-rounds';
import type { StripeEventReceived } from '#runtime/messages';
import { commit } from '#worker/db/database';
import { stripeEvent } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { outboxAllDone } from '#worker/queue/outbox';
import { clearConnectionError } from '../integration/connection-error.ts';
import { planRelease } from '../integration/plan-release.ts';
import type { CustomerReading } from '../sync/apply-customers.ts';
import type { ReadCustomer } from '../sync/read-objects.ts';
import { asRead, customersReadAfter, storeReadings } from '../sync/refresh-customer.ts';
import type { StripeSource } from '../sync/stripe-source.ts';
import { AccountCalls } from './account-calls.ts';
import { recordPaymentEvents } from './record-payment-events.ts';

/** Responses of Stripe that arrive within this time are stored together. */
const GATHER_MS = 10;

/** Events of one customer or product, at least one. */
export type EventGroup = readonly [StripeEventReceived, ...StripeEventReceived[]];

/** What the database knows of a group. */
export interface GroupState {
  /** Events that are stored and not done. */
  readonly open: readonly StripeEventReceived[];
  /** The customer, if it was read after all of these events were received. */
  readonly known: ReadCustomer | null;
}

/** A group that is to be completed. */
export interface CompletedGroup {
  readonly group: EventGroup;
  readonly open: readonly StripeEventReceived[];
  /** To be stored; null: a product, or a customer that is stored or is not to be. */
  readonly reading: CustomerReading | null;
  /** What the recorded events contain. */
  readonly stored: unknown;
  /** Complete it even if a newer read with another state is stored. */
  readonly isLastTry: boolean;
}

/** An integration whose groups of events share their database work. */
export interface EventSource extends StripeSource {
  readonly calls: AccountCalls;
  readonly states: SharedRounds<EventGroup, GroupState>;
  /** The instant of a newer read with another state: the customer is to be read again after it. Null: the group is done. */
  readonly completions: SharedRounds<CompletedGroup, number | null>;
}

export function shareWork(source: StripeSource, atOnce: number): EventSource {
  return {
    ...source,
    calls: new AccountCalls(atOnce),
    states: new SharedRounds((groups) => readStates(source, groups)),
    completions: new SharedRounds(
      (groups) => completeGroups(source, groups),
      () => scheduler.wait(GATHER_MS),
    ),
  };
}

async function readStates(source: StripeSource, groups: readonly EventGroup[]): Promise<GroupState[]> {
  const { db } = source.ctx;
  const { id } = stripeEvent;
  const isOpen = and(isOneOf(source.integration.id, groups.flat()), isNull(stripeEvent.doneAt));
  const customerIds = groups.flatMap(([{ event }]) => event.customerId ?? []);
  const readAfter = groups.map((group) => Math.max(...group.map(({ event }) => event.receivedAt)));
  const [openRows, rows] = await db.batch([
    db.select({ id }).from(stripeEvent).where(isOpen),
    customersReadAfter(source, customerIds, Math.min(...readAfter)),
  ]);
  const open = new Set(openRows.map((row) => row.id));
  return groups.map((group, index) => {
    const [{ event }] = group;
    const known = rows.find((row) => row.id === event.customerId && row.readAt > (readAfter[index] ?? 0));
    return {
      open: group.filter((message) => open.has(message.event.id)),
      known: known === undefined ? null : asRead(known),
    };
  });
}

async function completeGroups(
  source: StripeSource,
  groups: readonly CompletedGroup[],
): Promise<(number | null)[]> {
  const { ctx, integration } = source;
  const readings = groups.flatMap(({ reading }) => reading ?? []);
  const newer = readings.length === 0 ? [] : await storeReadings(source, readings);
  const newerReads = new Map(readings.map((reading, index) => [reading, newer?.[index] ?? null]));
  const isDeleted = newer === null;
  const results = groups.map(({ reading, isLastTry }) =>
    reading === null || isLastTry ? null : (newerReads.get(reading) ?? null),
  );
  const done = groups.filter((_, index) => results[index] === null);
  const processed = done.flatMap(({ open, reading, stored }) =>
    open.map((message) => ({ message, stored: isDeleted && reading !== null ? null : stored })),
  );
  await recordPaymentEvents(ctx, integration.orgId, processed);
  await finishEvents(
    ctx,
    integration.id,
    done.flatMap(({ group }) => group),
    processed.length === 0 ? [] : clearConnectionError(ctx.db, integration, ctx.clock()),
  );
  if (processed.length > 0 && integration.trouble !== null) await planRelease(ctx, integration);
  return results;
}

/** Marks the events as done and deletes their outbox rows. */
export async function finishEvents(
  { db, clock }: Pick<WorkContext, 'db' | 'clock'>,
  integrationId: string,
  messages: readonly StripeEventReceived[],
  further: Parameters<typeof commit>[1] = [],
): Promise<void> {
  if (messages.length === 0) return;
  const outboxIds = messages.map(({ outboxId }) => outboxId);
  await commit(db, [
    db
      .update(stripeEvent)
      .set({ doneAt: clock() })
      .where(and(isOneOf(integrationId, messages), isNull(stripeEvent.doneAt))),
    outboxAllDone(db, outboxIds),
    ...further,
  ]);
}

/** Condition: a stored event of the integration that one of the messages is about. */
function isOneOf(integrationId: string, messages: readonly StripeEventReceived[]): SQL | undefined {
  const ids = JSON.stringify(messages.map(({ event }) => event.id));
  return and(
    eq(stripeEvent.integrationId, integrationId),
    sql`${stripeEvent.id} IN (SELECT value FROM json_each(${ids}))`,
  );
}
