/**
 * Buffers events per organisation and sends them in batches, of 500 events or after the pause that the stream has named: 250 ms while
 * somebody watches or reads, otherwise a second, more only if the stream is overloaded. The hot path calls `recordEvent`, which
 * serialises nothing and awaits nothing. Buffered events are lost if the isolate is evicted.
 */
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { Location } from '#contracts/public/locations';
import { log } from '#runtime/log';
import { type EventTargets, pauseBeforeSend, sendEvents } from './send-events.ts';

const MAX_BUFFERED = 500;
/** A timer that is so late was cancelled with its request. */
const TIMER_LOST_AFTER_MS = 750;
/** Events in memory per isolate, buffered or being sent. Above it, events are dropped so that the isolate survives. */
const MAX_PENDING = 10_000;
/** A send older than this was cancelled with its request. */
const MAX_SEND_MS = 60_000;

interface Buffer {
  events: RecordedEvent[];
  /** When the timer that will send this buffer must have ended; null without a timer. */
  timerEndsAt: number | null;
}

interface Send {
  readonly startedAt: number;
  readonly count: number;
}

const buffers = new Map<string, Buffer>();
const sends = new Set<Send>();
let pending = 0;
let lost = 0;

/**
 * The request that fills the buffer sends it at once; otherwise one request at a time owns a timer that sends it later. The
 * platform ties timers and I/O to the request that started them, so requests never await each other, and a later request
 * sets a new timer if the owner was cancelled.
 * @param home the organisation's first enabled data location, where the stream is created
 */
export function recordEvent(
  env: EventTargets,
  executionContext: Pick<ExecutionContext, 'waitUntil'>,
  orgId: string,
  home: Location | undefined,
  event: RecordedEvent,
): void {
  if (pending >= MAX_PENDING && !hasRoom(event.time)) {
    lost += 1;
    return;
  }
  pending += 1;
  let buffer = buffers.get(orgId);
  if (buffer === undefined) {
    buffer = { events: [], timerEndsAt: null };
    buffers.set(orgId, buffer);
  }
  buffer.events.push(event);
  if (buffer.events.length >= MAX_BUFFERED) {
    executionContext.waitUntil(send(env, orgId, home, buffer, event.time));
  } else if (buffer.timerEndsAt === null || event.time > buffer.timerEndsAt) {
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
  const pauseMs = pauseBeforeSend(orgId);
  buffer.timerEndsAt = now + pauseMs + TIMER_LOST_AFTER_MS;
  await scheduler.wait(pauseMs);
  buffer.timerEndsAt = null;
  if (buffers.get(orgId) === buffer) buffers.delete(orgId);
  if (buffer.events.length > 0) await send(env, orgId, home, buffer, now + pauseMs);
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
  const current: Send = { startedAt: now, count: events.length };
  sends.add(current);
  try {
    lost += await sendEvents(env, orgId, home, events, now);
  } finally {
    settle(current);
    if (lost > 0) {
      log.error('events were lost', { count: lost });
      lost = 0;
    }
  }
}

function settle(settled: Send): void {
  if (sends.delete(settled)) pending -= settled.count;
}

function hasRoom(now: number): boolean {
  for (const each of sends) {
    if (now - each.startedAt > MAX_SEND_MS) settle(each);
  }
  return pending < MAX_PENDING;
}
