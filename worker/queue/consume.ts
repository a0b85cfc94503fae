/**
 * Consumes a batch of queue messages. Each message settles independently: a handled one is acknowledged, a failed one is
 * retried with exponential backoff until the queue moves it to its dead-letter queue.
 */
import type { Log } from '#worker/platform/log';
import type { MessageType, QueueMessage } from './messages.ts';

/** One handler per message type; a missing one is a compile error. */
export type Handlers<Context> = {
  readonly [Type in MessageType]: (
    ctx: Context,
    message: Extract<QueueMessage, { type: Type }>,
  ) => Promise<void>;
};

const MAX_BACKOFF_SECONDS = 300;

/** @param makeContext called once per message */
export async function consume<Context extends { readonly log: Log }>(
  batch: MessageBatch<QueueMessage>,
  handlers: Handlers<Context>,
  makeContext: () => Context,
): Promise<void> {
  for (const message of batch.messages) {
    const ctx = makeContext();
    try {
      await handle(ctx, handlers, message.body);
      message.ack();
    } catch (error) {
      ctx.log.warn('queue message failed', {
        queue: batch.queue,
        type: message.body?.type,
        attempts: message.attempts,
        error,
      });
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_BACKOFF_SECONDS) });
    }
  }
}

async function handle<Context>(
  ctx: Context,
  handlers: Handlers<Context>,
  message: QueueMessage,
): Promise<void> {
  if (!Object.hasOwn(handlers, message.type)) {
    throw new TypeError(`Unknown queue message ${JSON.stringify(message)}`);
  }
  // TypeScript does not relate the looked-up handler to the message's own type.
  const handler = handlers[message.type] as (ctx: Context, message: QueueMessage) => Promise<void>;
  await handler(ctx, message);
}
