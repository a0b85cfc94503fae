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
/** A timer that was set longer ago than this is gone with its request. */
const TIMER_LOST_AFTER_MS = 1_000;
/** Events that an isolate holds, buffered or on their way; beyond it they are lost rather than the isolate. */
const MAX_HELD = 10_000;
/** What has been on its way for longer than this belongs to a request that is gone. */
const MAX_FLIGHT_MS = 60_000;

interface Buffer {
  events: RecordedEvent[];
  /** When the timer was set that will send what is here then; null without one. */
  timerSetAt: number | null;
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
 * The request that fills a buffer sends it at once, and one request at a time has a timer that sends what is there when it
 * ends. Neither awaits the other: the platform ties timers and calls to the request that made them. Where the request
 * with the timer was cancelled, a later one sets a new timer.
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
  let buffer = buffers.get(orgId);
  if (buffer === undefined) {
    buffer = { events: [], timerSetAt: null };
    buffers.set(orgId, buffer);
  }
  buffer.events.push(event);
  if (buffer.events.length >= MAX_BUFFERED) {
    executionContext.waitUntil(send(env, orgId, home, buffer, event.time));
  } else if (buffer.timerSetAt === null || event.time - buffer.timerSetAt > TIMER_LOST_AFTER_MS) {
    executionContext.waitUntil(sendLater(env, orgId, home, buffer, event.time));
  }
}

async function sendLater(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  buffer: Buffer,
  now: number,
): Promise<void> {
  buffer.timerSetAt = now;
  await scheduler.wait(MAX_WAIT_MS);
  buffer.timerSetAt = null;
  if (buffers.get(orgId) === buffer) buffers.delete(orgId);
  if (buffer.events.length > 0) await send(env, orgId, home, buffer, now + MAX_WAIT_MS);
}

async function send(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  buffer: Buffer,
  now: number,
): Promise<void> {
  const { events } = buffer;
  buffer.events = [];
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
