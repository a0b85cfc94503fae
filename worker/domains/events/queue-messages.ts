/** Packs events into queue messages below the platform's limit of 128 KB. */
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { Location } from '#contracts/public/locations';
import { groupEvents } from '#engine/events/group-events';
import type { EventsRecorded } from '#worker/queue/messages';

/** Bytes of a message as JSON. The rest of the 128 KB is for the platform's envelope. */
const MAX_MESSAGE_BYTES = 120_000;

const encoder = new TextEncoder();

export function queueMessages(
  orgId: string,
  home: Location | undefined,
  events: readonly RecordedEvent[],
): EventsRecorded[] {
  const messageOf = (some: readonly RecordedEvent[]): EventsRecorded => ({
    type: 'events.recorded',
    batch: { orgId, home, groups: groupEvents(some) },
  });
  const message = messageOf(events);
  if (fits(message)) return [message];
  const [first] = events;
  if (first === undefined) return [];
  if (events.length === 1) {
    const shorter = messageOf([withoutFeatures(first)]);
    return [fits(shorter) ? shorter : messageOf([withoutBodies(first)])];
  }
  const middle = events.length >> 1;
  return [
    ...queueMessages(orgId, home, events.slice(0, middle)),
    ...queueMessages(orgId, home, events.slice(middle)),
  ];
}

function fits(message: EventsRecorded): boolean {
  return encoder.encode(JSON.stringify(message)).byteLength <= MAX_MESSAGE_BYTES;
}

/** First fallback for a single event that exceeds a message: the response keeps everything but the features. */
function withoutFeatures(event: RecordedEvent): RecordedEvent {
  if (event.features === null) return event;
  return {
    ...event,
    features: null,
    response: `${event.response}${event.responseRest ?? ''}}`,
    responseRest: '',
  };
}

/** Last fallback: keeps who, where and when only. */
function withoutBodies(event: RecordedEvent): RecordedEvent {
  return {
    ...event,
    ...{ request: null, response: 'null', responseRest: '', features: null },
    ...{ planSlugs: [], featureSlugs: [], secondarySubjectIdentifiers: [] },
  };
}
