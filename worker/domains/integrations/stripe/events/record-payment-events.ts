/**
 * Records Stripe events in the organisation's event stream. An event's id is derived from Stripe's, so processing it
 * twice records it once. The events concern every environment, so their `envId` is empty.
 */

import { NO_ENVIRONMENT } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { canonicalOf } from '#contracts/public/identifiers';
import { groupEvents } from '#engine/events/group-events';
import { paymentEvent } from '#engine/events/payment-event';
import { sha256Hex } from '#runtime/hash';
import type { StripeEventReceived } from '#runtime/messages';
import { findDataLocations } from '#worker/db/data-locations';
import { appendEvents } from '#worker/domains/events/append-events';
import type { WorkContext } from '#worker/http/request-context';

/** Events per call of the stream: each contains the stored object. */
const MAX_EVENTS = 20;

/** An event that was processed. */
export interface ProcessedEvent {
  readonly message: StripeEventReceived;
  /** The stored customer or product; null: nothing was stored. */
  readonly stored: unknown;
}

/** @param events of one organisation */
export async function recordPaymentEvents(
  { env, db, newId }: WorkContext,
  orgId: string,
  events: readonly ProcessedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const locations = await findDataLocations(db, orgId);
  if (locations === null) return;
  const [home] = locations;
  for (let from = 0; from < events.length; from += MAX_EVENTS) {
    const recorded = await Promise.all(events.slice(from, from + MAX_EVENTS).map(recordOf));
    await appendEvents(env, {
      orgId,
      ...(home === undefined ? {} : { home }),
      groups: groupEvents(recorded, () => newId('grp')),
    });
  }
}

async function recordOf({
  message: { integrationId, event },
  stored,
}: ProcessedEvent): Promise<RecordedEvent> {
  const email = emailOf(stored) ?? emailOf(event.object);
  return paymentEvent({
    // Length-prefixed, so that no two pairs of integration and event share an id.
    id: `evt_${(await sha256Hex(`${integrationId.length}:${integrationId}${event.id}`)).slice(0, 26)}`,
    time: event.receivedAt,
    envId: NO_ENVIRONMENT,
    subjectIdentifier: event.customerId,
    secondarySubjectIdentifiers: email === null ? [] : [email],
    request: { id: event.id, type: event.type, created: event.createdAt / 1000, object: event.object },
    response: JSON.stringify(stored),
    integrationId,
    stripeEventType: event.type,
  });
}

function emailOf(object: unknown): string | null {
  if (typeof object !== 'object' || object === null || !('email' in object)) return null;
  return typeof object.email === 'string' ? canonicalOf(object.email) : null;
}
