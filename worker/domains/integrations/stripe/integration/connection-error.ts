/**
 * An integration's connection error, which the console shows. A failed call sets it, the next successful call clears
 * it. During an error of the whole account its events wait: Stripe is asked again at `retryAt`, and the pauses grow.
 */
import { and, eq, exists, gt, gte, inArray, lt, lte, not, or, type SQL, sql } from 'drizzle-orm';
import { type Pauses, pauseAfter } from '#engine/back-off';
import { EARLY_DELIVERY_MS } from '#runtime/send-message';
import type { Db, Statement } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';
import { describeFailure, type StripeFailure } from './stripe-failure.ts';

/** A rejected key needs user action. */
const PAUSES_MS: Partial<Record<StripeFailure['kind'], Pauses>> = {
  unavailable: { first: 2_000, longest: 5_000 },
  'key-refused': { first: 10 * 60_000, longest: 6 * 60 * 60_000 },
};

/** The longest pause of an event in an error of the whole account. One that is refused waits for longer, for user action. */
export const LONGEST_PAUSE_MS = 5 * 60_000;

/** Whether Stripe is not to be asked yet, because of an error of the whole account. */
export function isHeld({ retryAt }: Pick<StripeIntegrationRow, 'retryAt'>, now: number): boolean {
  return retryAt !== null && retryAt > now + EARLY_DELIVERY_MS;
}

/** Whether further calls for the account would fail as well, for now. */
export function isOfAccount(failure: StripeFailure): boolean {
  return isLimit(failure) || PAUSES_MS[failure.kind] !== undefined;
}

/** When Stripe is asked again after this failure; null: the failure is not one of the whole account. */
export function retryAtAfter(
  { failures }: Pick<StripeIntegrationRow, 'failures'>,
  failure: StripeFailure,
  now: number,
): number | null {
  const pauses = PAUSES_MS[failure.kind];
  return pauses === undefined ? null : now + pauseAfter(failures + 1, pauses);
}

/** Shows the error without holding events back: a page of a sync that fails says little about a single customer. */
export function showConnectionError(
  db: Db,
  integration: Pick<StripeIntegrationRow, 'id' | 'secretKey'>,
  failure: StripeFailure,
  now: number,
): Statement[] {
  if (isLimit(failure)) return [];
  return [
    db
      .update(stripeIntegration)
      .set({ trouble: describeFailure(failure), troubleAt: now })
      .where(isSameKey(integration)),
  ];
}

/** Limits of the number of calls are not connection errors: they end within seconds. */
function isLimit({ kind }: StripeFailure): boolean {
  return kind === 'busy' || kind === 'paced';
}

/**
 * Condition: the integration still has the key that was read. The failure of a replaced key says nothing about the new one. A key
 * that was encrypted again counts as replaced: its next call fails like the one before.
 */
function isSameKey({ id, secretKey }: Pick<StripeIntegrationRow, 'id' | 'secretKey'>): SQL | undefined {
  return and(eq(stripeIntegration.id, id), sql`${stripeIntegration.secretKey} IS ${secretKey}`);
}

/** As isSameKey, for statements of other tables. */
export function hasSameKey(integration: Pick<StripeIntegrationRow, 'id' | 'secretKey'>): SQL {
  return sql`EXISTS (SELECT 1 FROM ${stripeIntegration} WHERE ${isSameKey(integration)})`;
}

/** Shows the error; with one of the whole account, its events wait until `retryAt`. */
export function setConnectionError(
  db: Db,
  integration: Pick<StripeIntegrationRow, 'id' | 'secretKey' | 'failures'>,
  failure: StripeFailure,
  now: number,
): Statement[] {
  if (isLimit(failure)) return [];
  const retryAt = retryAtAfter(integration, failure, now);
  return [
    db
      .update(stripeIntegration)
      .set({
        trouble: describeFailure(failure),
        troubleAt: now,
        retryAt,
        // Counted from the row as it was read, so that concurrent failures count once.
        ...(retryAt === null ? {} : { failures: integration.failures + 1 }),
      })
      .where(isSameKey(integration)),
  ];
}

/** Errors of the whole account, as they are shown. */
const ENDED_BY_SUCCESS = [describeFailure({ kind: 'unavailable' }), describeFailure({ kind: 'key-refused' })];

/**
 * Waiting events may be processed afterwards: call planRelease after the commit. What Stripe refuses, because the key lacks a
 * permission, it refuses still: such events keep their pause, and their error stays shown while one of them waits.
 */
export function clearConnectionError(
  db: Db,
  { id, trouble }: Pick<StripeIntegrationRow, 'id' | 'trouble'>,
  now: number,
): Statement[] {
  if (trouble === null) return [];
  const isFailurePause = lte(outbox.sentAt, now + LONGEST_PAUSE_MS);
  const isRefusing = exists(
    db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(isEventOf(id), not(isFailurePause))),
  );
  return [
    db
      .update(stripeIntegration)
      .set(NO_CONNECTION_ERROR)
      .where(
        and(
          eq(stripeIntegration.id, id),
          or(inArray(stripeIntegration.trouble, ENDED_BY_SUCCESS), not(isRefusing)),
        ),
      ),
    dueAtOnce(db, and(isEventOf(id), isFailurePause)),
  ];
}

export const NO_CONNECTION_ERROR = { trouble: null, troubleAt: null, failures: 0, retryAt: null } as const;

/** Makes all postponed events due immediately, for a new key. */
export function retryWaitingEvents(db: Db, integrationId: string): Statement {
  return dueAtOnce(db, isEventOf(integrationId));
}

function dueAtOnce(db: Db, condition: SQL | undefined): Statement {
  return db
    .update(outbox)
    .set({ sentAt: 0 })
    .where(and(condition, gt(outbox.sentAt, 0)));
}

/** Condition: an outbox row of one of the integration's events. */
function isEventOf(integrationId: string): SQL | undefined {
  const first = outboxIdOfEvent(integrationId, '');
  return and(
    gte(outbox.id, first),
    // U+FFFF is after every character of an event's id.
    lt(outbox.id, `${first}\uffff`),
    eq(outbox.type, 'stripe.event-received'),
  );
}

/** Derived from the event's id, so that an event has at most one outbox row. */
export function outboxIdOfEvent(integrationId: string, eventId: string): string {
  return `out_${integrationId}_${eventId}`;
}
