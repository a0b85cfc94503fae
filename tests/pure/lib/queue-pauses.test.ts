import { expect, test } from 'vitest';
import type { QueueMessage } from '#runtime/messages';
import { consume, type Handlers } from '#worker/queue/consume';

test('a message that fails is retried after two seconds, then after pauses that double up to five minutes', async () => {
  const retried: unknown[] = [];
  const messages = [1, 2, 8, 9, 11].map((attempts) => ({
    body: { type: 'gone' },
    attempts,
    retry: (options: unknown) => retried.push(options),
  }));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  await consume(
    { queue: 'work', messages } as unknown as MessageBatch<QueueMessage>,
    {} as Handlers<{ log: typeof log; waitUntil: () => void }>,
    () => ({ log, waitUntil: () => {} }),
  );
  expect(retried).toEqual([2, 4, 256, 300, 300].map((delaySeconds) => ({ delaySeconds })));
});
