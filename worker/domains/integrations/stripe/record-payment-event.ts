/**
 * Records an event of Stripe's in the organisation's event stream, once however often it is worked on. It concerns the
 * organisation and all of its environments, so it stands under none of them: its `envId` is empty.
 */
import { eq } from 'drizzle-orm';
import type { RecordedEvent } from '#contracts/event-batch';
import { NO_ENVIRONMENT } from '#contracts/events';
import { groupEvents } from '#engine/events/group-events';
import type { Db } from '#worker/db/database';
import { organization } from '#worker/db/schema/organisations';
import { appendEvents } from '#worker/domains/events/append-events';
import type { Env } from '#worker/env';
import { sha256Hex } from '#worker/platform/hash';
import type { StripeEventReceived } from '#worker/queue/messages';

/** @param stored what was stored of the customer or product; null: nothing */
export async function recordPaymentEvent(
  env: Env,
  db: Db,
  { orgId, integrationId, event }: StripeEventReceived,
  stored: unknown,
): Promise<void> {
  const [organisation] = await db
    .select({ locations: organization.dataLocations })
    .from(organization)
    .where(eq(organization.id, orgId));
  if (organisation === undefined) return;
  const email = emailOf(stored) ?? emailOf(event.object);
  const recorded: RecordedEvent = {
    // Another event, also of the same second, has another id; this one always has this.
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
  const home = organisation.locations[0];
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
