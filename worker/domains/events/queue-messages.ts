/** Packs groups into queue messages below the platform's limit of 128 KB. A group is never split: it keeps its id on every path. */
import type { EventBatch, EventGroup, RecordedEvent } from '#contracts/internal/event-batch';
import { groupEvents } from '#engine/events/group-events';
import type { EventsRecorded } from '#runtime/messages';

/** Bytes of a message as JSON. The rest of the 128 KB is for the platform's envelope. */
const MAX_MESSAGE_BYTES = 120_000;

const encoder = new TextEncoder();

/** @param events those of the groups: a group that is too large is formed again without bodies */
export function queueMessages(
  { orgId, home, groups }: EventBatch,
  events: readonly RecordedEvent[],
): EventsRecorded[] {
  const messageOf = (some: readonly EventGroup[]): EventsRecorded => ({
    type: 'events.recorded',
    batch: { orgId, ...(home === undefined ? {} : { home }), groups: some },
  });
  const messages: EventsRecorded[] = [];
  for (const group of groups) {
    const last = messages.at(-1);
    const joined = last === undefined ? null : messageOf([...last.batch.groups, group]);
    if (joined !== null && fits(joined)) messages[messages.length - 1] = joined;
    else messages.push(messageOf([shortened(group, events, (each) => fits(messageOf([each])))]));
  }
  return messages;
}

function fits(message: EventsRecorded): boolean {
  return encoder.encode(JSON.stringify(message)).byteLength <= MAX_MESSAGE_BYTES;
}

/** Groups are bounded so that nearly all fit. One event alone may be larger: it loses its features, then its bodies. */
function shortened(
  group: EventGroup,
  events: readonly RecordedEvent[],
  isFitting: (group: EventGroup) => boolean,
): EventGroup {
  if (isFitting(group)) return group;
  const own = events.filter(({ id }) => group.lines.includes(id));
  for (const shorten of [withoutFeatures, withoutBodies, withoutNames]) {
    const [shorter, more] = groupEvents(own.map(shorten), () => group.id ?? '');
    // The times stay those of the whole group: the stream finds a stored group by them.
    const { fromAt, toAt } = group;
    if (shorter !== undefined && more === undefined && isFitting(shorter))
      return { ...shorter, fromAt, toAt };
  }
  return group;
}

/** The response keeps everything but the features. */
function withoutFeatures(event: RecordedEvent): RecordedEvent {
  if (event.features === null) return event;
  return {
    ...event,
    features: null,
    response: `${event.response}${event.responseRest ?? ''}}`,
    responseRest: '',
  };
}

/** Keeps who, where and when. */
function withoutBodies(event: RecordedEvent): RecordedEvent {
  return {
    ...event,
    request: null,
    response: 'null',
    responseRest: '',
    features: null,
    executions: [],
    planSlugs: [],
    featureSlugs: [],
    denials: [],
    secondarySubjectIdentifiers: [],
    nearLimits: event.nearLimits === null ? null : [],
  };
}

/** Keeps when and how it ended. */
function withoutNames(event: RecordedEvent): RecordedEvent {
  return { ...withoutBodies(event), subjectIdentifier: null, cfRay: null };
}
