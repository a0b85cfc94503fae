// Fixtures: recorded events, and event streams of organisations unique to a test.
import { env } from 'cloudflare:workers';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { EventBatch, EventGroup, RecordedEvent } from '#contracts/internal/event-batch';
import { groupEvents } from '#engine/events/group-events';
import type { EventSearch } from '#objects/event-stream/event-reader';
import { eventStreamStub } from '#objects/stubs';
import { formatId, newId } from '#runtime/ids';

export const NOON = Date.UTC(2026, 10, 20, 12);

let count = 0;

/** An event with a new id and the response `{ status, requestId, features }`. */
export function someEvent(changes: Partial<RecordedEvent> = {}): RecordedEvent {
  count += 1;
  return {
    id: idAt(changes.time ?? NOON, count),
    time: NOON,
    envId: 'env_one',
    environmentType: 'live',
    type: 'ac',
    key: null,
    timings: null,
    isError: false,
    isDenied: false,
    warnings: [],
    denials: [],
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

/** A workflow's run that is done. */
export function someRun(changes: Partial<WorkflowExecution> = {}): WorkflowExecution {
  return {
    executionId: 'exe_1',
    workflowId: 'wf_1',
    workflowName: 'Partners',
    success: true,
    result: null,
    logs: [],
    diagnosticMessages: [],
    wallTime: 5,
    input: null,
    seed: '',
    ...changes,
  };
}

/** Sorts by time, then by number. */
function idAt(time: number, number: number): string {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(0, number);
  return formatId('evt', time, bytes);
}

export function groupsOf(events: readonly RecordedEvent[]): EventGroup[] {
  return groupEvents(events, () => newId('grp', NOON));
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
  const batchOf = (events: readonly RecordedEvent[]): EventBatch => ({ orgId, groups: groupsOf(events) });
  return {
    orgId,
    stub,
    batchOf,
    /** @returns the number of new events */
    append: async (events: readonly RecordedEvent[]): Promise<number> =>
      (await stub.appendGroups(batchOf(events))).added,
    /** Stores in chunks and figures what is in the inbox. */
    fold: async () => void (await stub.callsEver()),
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
