/**
 * Records an event off the path of the answer: it is kept in this isolate for at most 250 ms, or until a hundred have come
 * together, and then goes to the organisation's event stream. The hot path calls this; it makes no text and awaits nothing.
 */
import type { RecordedEvent } from '#contracts/event-batch';
import type { Location } from '#contracts/locations';
import { log } from '#worker/platform/log';
import { type EventTargets, sendEvents } from './send-events.ts';

const MAX_BUFFERED = 100;
const MAX_WAIT_MS = 250;
/** A buffer older than this has lost the request that should have sent it. */
const ABANDONED_AFTER_MS = 1_000;
/** Events that an isolate holds, buffered or on their way; beyond it they are lost rather than the isolate. */
const MAX_HELD = 20_000;
/** What has been on its way for longer than this belongs to a request that is gone. */
const MAX_FLIGHT_MS = 60_000;

interface Buffer {
  readonly startedAt: number;
  readonly events: RecordedEvent[];
}

interface Flight {
  readonly startedAt: number;
  readonly count: number;
}

const buffers = new Map<string, Buffer>();
const flights = new Set<Flight>();
let held = 0;
let lost = 0;

/**
 * The request that begins a buffer owns its timer, the one that fills it sends it at once, and neither awaits the other:
 * the platform ties timers and calls to the request that made them. Where the owner was cancelled, the next request that
 * comes later than its timer takes the buffer over.
 * @param home the organisation's first enabled data location: where the stream is made
 */
export function recordEvent(
  env: EventTargets,
  executionContext: Pick<ExecutionContext, 'waitUntil'>,
  orgId: string,
  home: Location | undefined,
  event: RecordedEvent,
): void {
  if (held >= MAX_HELD && !hasRoom(event.time)) {
    lost += 1;
    return;
  }
  held += 1;
  const buffer = buffers.get(orgId);
  if (buffer === undefined) {
    const fresh: Buffer = { startedAt: event.time, events: [event] };
    buffers.set(orgId, fresh);
    executionContext.waitUntil(sendLater(env, orgId, home, fresh));
    return;
  }
  buffer.events.push(event);
  if (buffer.events.length >= MAX_BUFFERED || event.time - buffer.startedAt > ABANDONED_AFTER_MS) {
    buffers.delete(orgId);
    executionContext.waitUntil(send(env, orgId, home, buffer.events, event.time));
  }
}

async function sendLater(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  buffer: Buffer,
): Promise<void> {
  await scheduler.wait(MAX_WAIT_MS);
  if (buffers.get(orgId) !== buffer) return;
  buffers.delete(orgId);
  await send(env, orgId, home, buffer.events, buffer.startedAt + MAX_WAIT_MS);
}

async function send(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  events: readonly RecordedEvent[],
  now: number,
): Promise<void> {
  const flight: Flight = { startedAt: now, count: events.length };
  flights.add(flight);
  try {
    lost += await sendEvents(env, orgId, home, events, now);
  } finally {
    land(flight);
    if (lost > 0) {
      log.error('events were lost', { count: lost });
      lost = 0;
    }
  }
}

function land(flight: Flight): void {
  if (flights.delete(flight)) held -= flight.count;
}

function hasRoom(now: number): boolean {
  for (const flight of flights) {
    if (now - flight.startedAt > MAX_FLIGHT_MS) land(flight);
  }
  return held < MAX_HELD;
}
