/** Packs events into queue messages, each below the platform's limit of 128 KB. */
import type { RecordedEvent } from '#contracts/event-batch';
import type { Location } from '#contracts/locations';
import { groupEvents } from '#engine/events/group-events';
import type { EventsRecorded } from '#worker/queue/messages';

/** Octets of a message as JSON; the rest of 128 KB is left to the platform's own envelope. */
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

/** What alone is too long for a message comes without the answer's features; failing that, with nothing but who and when. */
function withoutFeatures(event: RecordedEvent): RecordedEvent {
  if (event.features === null) return event;
  return {
    ...event,
    features: null,
    response: `${event.response}${event.responseRest ?? ''}}`,
    responseRest: '',
  };
}

function withoutBodies(event: RecordedEvent): RecordedEvent {
  return {
    ...event,
    ...{ request: null, response: 'null', responseRest: '', features: null },
    ...{ planSlugs: [], featureSlugs: [], secondarySubjectIdentifiers: [] },
  };
}
