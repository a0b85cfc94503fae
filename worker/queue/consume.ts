/**
 * One policy for every consumer: each message settles by itself. Worked on: acknowledged. Failed: retried with growing
 * pauses until the queue's limit moves it to the dead letters. One that throws never takes its batch along.
 */
import type { Log } from '#worker/platform/log';
import type { MessageType, QueueMessage } from './messages.ts';

export type Handlers = {
  readonly [Type in MessageType]: (message: Extract<QueueMessage, { type: Type }>) => Promise<void>;
};

const MAX_PAUSE_SECONDS = 300;

export async function consume(
  batch: MessageBatch<QueueMessage>,
  handlers: Handlers,
  log: Log,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      await handle(handlers, message.body);
      message.ack();
    } catch (error) {
      log.warn('queue message failed', {
        queue: batch.queue,
        type: message.body?.type,
        attempts: message.attempts,
        error,
      });
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, MAX_PAUSE_SECONDS) });
    }
  }
}

async function handle(handlers: Handlers, message: QueueMessage): Promise<void> {
  switch (message.type) {
    case 'workspace.changed':
      return handlers['workspace.changed'](message);
    case 'environment.changed':
      return handlers['environment.changed'](message);
    case 'location.closed':
      return handlers['location.closed'](message);
    case 'customer.changed':
      return handlers['customer.changed'](message);
    case 'stripe.event-received':
      return handlers['stripe.event-received'](message);
    case 'stripe.customers-changed':
      return handlers['stripe.customers-changed'](message);
    case 'stripe.sync-advanced':
      return handlers['stripe.sync-advanced'](message);
    case 'stripe.integration-deleted':
      return handlers['stripe.integration-deleted'](message);
    case 'stripe.billing-event-received':
      return handlers['stripe.billing-event-received'](message);
    case 'billing.plan-changed':
      return handlers['billing.plan-changed'](message);
    case 'usage.notice-due':
      return handlers['usage.notice-due'](message);
    case 'usage.level-passed':
      return handlers['usage.level-passed'](message);
    case 'events.recorded':
      return handlers['events.recorded'](message);
    default:
      throw new TypeError(`Unknown queue message ${JSON.stringify(message satisfies never)}`);
  }
}
