// Fixtures: recorded events, and event streams of organisations unique to a test.
import { env } from 'cloudflare:workers';
import type { EventBatch, RecordedEvent } from '#contracts/internal/event-batch';
import { groupEvents } from '#engine/events/group-events';
import type { EventSearch } from '#objects/event-stream/event-reader';
import { eventStreamStub } from '#objects/stubs';

export const NOON = Date.UTC(2026, 10, 20, 12);

let count = 0;

/** An event with a new id and the response `{ status, requestId, features }`. */
export function someEvent(changes: Partial<RecordedEvent> = {}): RecordedEvent {
  count += 1;
  return {
    id: `evt_${String(count).padStart(8, '0')}`,
    time: NOON,
    envId: 'env_one',
    environmentType: 'live',
    type: 'ac',
    key: null,
    timings: null,
    isError: false,
    isDenied: false,
    warnings: [],
    deniedFeatures: [],
    nearLimits: null,
    subjectIdentifier: 'ada@example.com',
    secondarySubjectIdentifiers: [],
    place: { country: 'GB', city: 'London', continent: 'EU' },
    planSlugs: ['starter'],
    featureSlugs: ['exports'],
    readDataLocations: ['weur'],
    writeDataLocations: [],
    request: { userIdentifier: 'ada@example.com' },
    response: `{"status":"success","requestId":"req_${count}"`,
    features: '{"exports":{"properties":{"enabled":true}}}',
    error: null,
    integrationId: null,
    stripeEventType: null,
    cfRay: null,
    ...changes,
  };
}

export function someEvents(
  number: number,
  changes: (index: number) => Partial<RecordedEvent> = () => ({}),
): RecordedEvent[] {
  return Array.from({ length: number }, (_, index) => someEvent(changes(index)));
}

export async function someStream() {
  const orgId = `org_${crypto.randomUUID()}`;
  const stub = await eventStreamStub(env, orgId, 'weur');
  const batchOf = (events: readonly RecordedEvent[]): EventBatch => ({ orgId, groups: groupEvents(events) });
  return {
    orgId,
    stub,
    batchOf,
    /** @returns the number of new events */
    append: (events: readonly RecordedEvent[]): Promise<number> => stub.append(batchOf(events)),
    /** Ids of all matching events, page by page, newest first. */
    findAll: async (search: Omit<Partial<EventSearch>, 'timeTo'> = {}) => {
      const ids: string[] = [];
      let timeTo: number | null = null;
      do {
        const page = await stub.search({ limit: 50, ...search, timeTo });
        ids.push(...page.events.map((event) => event.id));
        timeTo = page.nextQueryTimeTo;
      } while (timeTo !== null);
      return ids;
    },
  };
}

export function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map((event) => event.id);
}
