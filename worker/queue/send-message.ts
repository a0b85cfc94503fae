/** Maps message types to queues, and sends a message. */
import type { Env } from '#worker/env';
import type { EventsRecorded, QueueMessage } from './messages.ts';

export type Queues = Pick<Env, 'PUBLISH_QUEUE' | 'STRIPE_QUEUE' | 'SYNC_QUEUE'>;
/** Events have a queue of their own. */
type OtherMessage = Exclude<QueueMessage, EventsRecorded>;

/** Long-running Stripe work; other Stripe messages are urgent. */
const SYNC_TYPES: ReadonlySet<OtherMessage['type']> = new Set([
  'stripe.sync-advanced',
  'stripe.integration-deleted',
]);

/** Separate queues, so that long syncs, urgent webhooks and publishing do not delay each other. */
export function queueOf(env: Queues, type: OtherMessage['type']): Queues[keyof Queues] {
  if (SYNC_TYPES.has(type)) return env.SYNC_QUEUE;
  return type.startsWith('stripe.') ? env.STRIPE_QUEUE : env.PUBLISH_QUEUE;
}

/** Call it after the commit of the outbox row. @param delaySeconds delivery delay */
export async function sendMessage(env: Queues, message: OtherMessage, delaySeconds = 0): Promise<void> {
  await queueOf(env, message.type).send(message, delaySeconds > 0 ? { delaySeconds } : {});
}

/** Sends a message to the queue that it came from. */
export async function sendAgain(
  env: Queues & Pick<Env, 'EVENTS_QUEUE'>,
  message: QueueMessage,
): Promise<void> {
  if (message.type === 'events.recorded') await env.EVENTS_QUEUE.send(message);
  else await sendMessage(env, message);
}
