// The schedule: one message for each part, and parts that neither stop nor wait for each other.

import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { QueueMessage, ScheduledWorkDue } from '#runtime/messages';
import { expectConsole } from '#tests/support/expect-console';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';
import { everyMinutes, type Schedule, scheduleConsumer, startSchedule } from '#worker/queue/schedule';

const NOW = Date.UTC(2026, 10, 23, 12);
const at = (now: number) => workContext(env, () => now);

test('every minute each part gets a message, and a message is one part', async () => {
  const send = vi.spyOn(env.SCHEDULE_QUEUE, 'sendBatch').mockResolvedValue(undefined as never);
  await worker.scheduled(createScheduledController(), env);
  const messages = send.mock.calls.flatMap(([batch]) =>
    [...batch].map(({ body }) => body as ScheduledWorkDue),
  );
  send.mockRestore();
  const names = messages.map(({ work }) => work);
  expect(names).toEqual(
    expect.arrayContaining(['count-billable-usage', 'send-billable-usage', 'end-watches']),
  );
  expect(new Set(names).size).toBe(names.length);

  for (const body of messages) {
    const batch = createMessageBatch<QueueMessage>('tessera-schedule', [
      { id: body.work, timestamp: new Date(), attempts: 1, body },
    ]);
    await worker.queue(batch, env);
    expect((await getQueueResult(batch, createExecutionContext())).explicitAcks).toEqual([body.work]);
  }
});

test('a part that fails is logged, and neither it nor the others are retried', async () => {
  const ran: string[] = [];
  const schedule: Schedule<{ now: number }> = {
    first: async () => {
      throw new Error('no such table');
    },
    second: async () => ran.push('second'),
  };
  expectConsole('error', /scheduled work failed.*first/);
  const consume = scheduleConsumer(schedule);
  for (const work of Object.keys(schedule)) {
    await consume(at(NOW), { type: 'schedule.work-due', work, dueAt: NOW });
  }
  expect(ran).toEqual(['second']);
});

test('a message that is late, or of another release, does nothing; one that comes twice runs twice', async () => {
  const run = vi.fn(async () => undefined);
  const consume = scheduleConsumer({ known: run });
  const message: ScheduledWorkDue = { type: 'schedule.work-due', work: 'known', dueAt: NOW };
  await consume(at(NOW + 4 * 60_000), message);
  expectConsole('warn', /unknown to this release/);
  for (const work of ['unknown', 'toString']) await consume(at(NOW), { ...message, work });
  expect(run).not.toHaveBeenCalled();
  await consume(at(NOW), message);
  await consume(at(NOW + 60_000), message);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a part of every hour runs once an hour, also if its message is handled in the next minute', async () => {
  const ran: number[] = [];
  const hourly = everyMinutes(60, async ({ now }: { now: number }) => ran.push(now));
  const consume = scheduleConsumer({ hourly });
  for (let minute = 0; minute < 120; minute++) {
    const dueAt = NOW + minute * 60_000;
    await consume(at(dueAt + 61_000), { type: 'schedule.work-due', work: 'hourly', dueAt });
  }
  expect(ran).toEqual([NOW + 61_000, NOW + 61 * 60_000 + 1_000]);
});

test('a schedule that starts late asks for the work of the minute that it was planned for', async () => {
  const send = vi.spyOn(env.SCHEDULE_QUEUE, 'sendBatch').mockResolvedValue(undefined as never);
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(NOW) }), env);
  const due = send.mock.calls.flatMap(([batch]) =>
    [...batch].map(({ body }) => (body as ScheduledWorkDue).dueAt),
  );
  send.mockRestore();
  expect(new Set(due)).toEqual(new Set([NOW]));
});

test('a queue that refuses is logged, and the outbox is resent all the same', async () => {
  expectConsole('error', /scheduled work failed.*Too Many Requests/);
  const send = vi.spyOn(env.SCHEDULE_QUEUE, 'sendBatch').mockRejectedValue(new Error('Too Many Requests'));
  await expect(startSchedule(at(NOW), { one: async () => undefined })).rejects.toThrow('Too Many Requests');
  await worker.scheduled(createScheduledController(), env);
  send.mockRestore();
});
