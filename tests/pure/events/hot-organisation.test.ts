// One organisation with 10,000 calls a second from 1,000 isolates, beside quiet ones: what its stream and the shared queue get. The
// modules that pace and join are the product's; clock, isolates, queue and streams are played here.
import { expect, it } from 'vitest';
import type { EventBatch } from '#contracts/internal/event-batch';
import { AppendPace, SendPace } from '#engine/events/append-pace';
import { appendJoined } from '#worker/domains/events/append-joined';

/** An object serves so many calls in a second, and refuses the others. */
const CALLS_PER_SECOND = 1_000;
const STEP_MS = 50;
const SECONDS = 60;
/** What the platform starts for one queue. */
const CONSUMERS = 10;
const BATCH = 100;
const RETRY_MS = 5_000;
const HOT = 'org_hot';

interface Isolate {
  readonly orgId: string;
  readonly callEveryMs: number;
  readonly pace: SendPace;
  nextCallAt: number;
  sendAt: number | null;
  count: number;
}

class Stream {
  readonly pace = new AppendPace();
  readonly callsBySecond: number[] = [];
  stored = 0;
  /** The longest that an event has waited. */
  latestMs = 0;

  append(batch: EventBatch, now: number): { pauseMs: number } {
    const second = Math.floor(now / 1_000);
    this.callsBySecond[second] = (this.callsBySecond[second] ?? 0) + 1;
    if (this.callsBySecond[second] > CALLS_PER_SECOND)
      throw Object.assign(new Error('Too many requests'), { overloaded: true });
    this.pace.note(now);
    for (const { count, fromAt } of batch.groups) {
      this.stored += count;
      this.latestMs = Math.max(this.latestMs, now - fromAt);
    }
    return { pauseMs: this.pace.pauseMs(now, false) };
  }
}

it('an organisation with 10,000 calls a second fills neither its stream nor the queue, and no event is lost or waits for it', async () => {
  const streams = new Map<string, Stream>();
  const isolates: Isolate[] = [];
  const add = (orgId: string, callEveryMs: number, count: number) => {
    streams.set(orgId, new Stream());
    for (let index = 0; index < count; index++)
      isolates.push({ orgId, callEveryMs, pace: new SendPace(), nextCallAt: index, sendAt: null, count: 0 });
  };
  add(HOT, 100, 1_000);
  for (let index = 0; index < 50; index++) add(`org_${index}`, 1_000, 1);
  let queue: { readonly batch: EventBatch; readonly dueAt: number }[] = [];
  let queued = 0;
  let calls = 0;
  const streamOf = (orgId: string) => streams.get(orgId) as Stream;

  const send = (isolate: Isolate, now: number) => {
    const { orgId, pace, count } = isolate;
    const fromAt = now - pace.pauseMs(orgId);
    const group = {
      envId: 'env',
      ids: '[]',
      count,
      fromAt,
      toAt: now,
      terms: '',
      lines: '',
      shapes: '[]',
      texts: [],
    };
    const batch = { orgId, groups: [group] };
    Object.assign(isolate, { count: 0, sendAt: null });
    try {
      // The streams of the quiet ones are silent at first, so that their events are in the queue beside those of the hot one.
      if (orgId !== HOT && now < 5_000) throw new Error('no answer');
      if (!pace.mayCall(orgId, now)) throw new Error('resting');
      pace.succeed(orgId, streamOf(orgId).append(batch, now));
      return;
    } catch (error) {
      if (pace.mayCall(orgId, now)) pace.fail(orgId, now, error);
    }
    queue.push({ batch, dueAt: now + 1_000 });
    queued += 1;
  };
  const consume = async (now: number) => {
    for (let consumer = 0; consumer < CONSUMERS; consumer++) {
      const due = queue.filter(({ dueAt }) => dueAt <= now).slice(0, BATCH);
      queue = queue.filter((message) => !due.includes(message));
      const appends = appendJoined(
        due.map(({ batch }) => batch),
        async (batch) => void streamOf(batch.orgId).append(batch, now),
      );
      const ended = await Promise.allSettled(appends);
      for (const [index, { status }] of ended.entries())
        if (status === 'rejected')
          queue.push({ batch: (due[index] as (typeof due)[0]).batch, dueAt: now + RETRY_MS });
    }
  };

  const end = SECONDS * 1_000;
  for (
    let now = 0;
    now < end || queue.length > 0 || isolates.some(({ sendAt }) => sendAt !== null);
    now += STEP_MS
  ) {
    for (const isolate of isolates) {
      while (now < end && isolate.nextCallAt <= now) {
        isolate.nextCallAt += isolate.callEveryMs;
        isolate.count += 1;
        calls += 1;
        isolate.sendAt ??= now + isolate.pace.pauseMs(isolate.orgId);
      }
      if (isolate.sendAt !== null && isolate.sendAt <= now) send(isolate, now);
    }
    if (now % 1_000 === 0) await consume(now);
  }

  const stored = [...streams.values()].reduce((sum, stream) => sum + stream.stored, 0);
  expect(stored).toBe(calls);
  const settled = streamOf(HOT).callsBySecond.slice(20, SECONDS);
  expect(Math.max(...settled)).toBeLessThan(CALLS_PER_SECOND);
  // Of 60,000 messages that as many sends every second would be.
  expect(queued).toBeLessThan(8_000);
  for (const [orgId, { latestMs }] of streams) if (orgId !== HOT) expect(latestMs).toBeLessThan(10_000);
});
