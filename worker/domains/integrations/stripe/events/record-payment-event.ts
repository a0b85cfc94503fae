/**
 * Records a Stripe event in the organisation's event stream. The event's id is derived from Stripe's, so processing
 * it twice records it once. The event concerns every environment, so its `envId` is empty.
 */
import { NO_ENVIRONMENT } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { groupEvents } from '#engine/events/group-events';
import { findDataLocations } from '#worker/db/data-locations';
import { appendEvents } from '#worker/domains/events/append-events';
import type { WorkContext } from '#worker/http/request-context';
import { sha256Hex } from '#worker/platform/hash';
import type { StripeEventReceived } from '#worker/queue/messages';

/** @param stored the stored customer or product; null: nothing was stored */
export async function recordPaymentEvent(
  { env, db }: WorkContext,
  { orgId, integrationId, event }: StripeEventReceived,
  stored: unknown,
): Promise<void> {
  const locations = await findDataLocations(db, orgId);
  if (locations === null) return;
  const email = emailOf(stored) ?? emailOf(event.object);
  const recorded: RecordedEvent = {
    // Length-prefixed, so that no two pairs of integration and event share an id.
    id: `evt_${(await sha256Hex(`${integrationId.length}:${integrationId}${event.id}`)).slice(0, 26)}`,
    time: event.receivedAt,
    envId: NO_ENVIRONMENT,
    type: 'se',
    ...{ isError: false, isWarning: false, error: null },
    subjectIdentifier: event.customerId,
    secondarySubjectIdentifiers: email === null ? [] : [email],
    place: { country: null, city: null, continent: null },
    ...{ planSlugs: [], featureSlugs: [], readDataLocations: [], writeDataLocations: [] },
    request: { id: event.id, type: event.type, created: event.createdAt / 1000, object: event.object },
    response: JSON.stringify(stored),
    features: null,
    integrationId,
    stripeEventType: event.type,
    cfRay: null,
  };
  const home = locations[0];
  await appendEvents(env, {
    orgId,
    ...(home === undefined ? {} : { home }),
    groups: groupEvents([recorded]),
  });
}

function emailOf(object: unknown): string | null {
  if (typeof object !== 'object' || object === null || !('email' in object)) return null;
  return typeof object.email === 'string' ? object.email.toLowerCase() : null;
}
