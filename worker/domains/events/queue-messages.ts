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
  const message: EventsRecorded = {
    type: 'events.recorded',
    batch: { orgId, home, groups: groupEvents(events) },
  };
  if (encoder.encode(JSON.stringify(message)).byteLength <= MAX_MESSAGE_BYTES) return [message];
  const [first] = events;
  if (first === undefined) return [];
  if (events.length === 1) return queueMessages(orgId, home, [shortened(first)]);
  const middle = events.length >> 1;
  return [
    ...queueMessages(orgId, home, events.slice(0, middle)),
    ...queueMessages(orgId, home, events.slice(middle)),
  ];
}

/** What alone is too long for a message comes without the answer's features; failing that, without its bodies. */
function shortened(event: RecordedEvent): RecordedEvent {
  if (event.features !== null) return { ...event, features: null, response: `${event.response}}` };
  return { ...event, request: null, response: 'null', featureSlugs: [], planSlugs: [], secondarySubjectIdentifiers: [] };
}
