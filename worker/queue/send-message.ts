/** Which queue carries which message, and the sending of one. */
import type { Env } from '#worker/env';
import type { EventsRecorded, QueueMessage } from './messages.ts';

export type Queues = Pick<Env, 'PUBLISH_QUEUE' | 'STRIPE_QUEUE' | 'SYNC_QUEUE'>;
/** Events have a queue of their own. */
type OtherMessage = Exclude<QueueMessage, EventsRecorded>;

/** Long work of Stripe's; its other messages are urgent. */
const SYNC_TYPES: ReadonlySet<OtherMessage['type']> = new Set([
  'stripe.sync-advanced',
  'stripe.integration-deleted',
]);

/** Syncs are long and webhooks urgent, so neither stands in the other's way, nor in that of publishing. */
export function queueOf(env: Queues, type: OtherMessage['type']): Queues[keyof Queues] {
  if (SYNC_TYPES.has(type)) return env.SYNC_QUEUE;
  return type.startsWith('stripe.') ? env.STRIPE_QUEUE : env.PUBLISH_QUEUE;
}

/** After the commit that holds its outbox row. @param delaySeconds how long the queue keeps it back */
export async function sendMessage(env: Queues, message: OtherMessage, delaySeconds = 0): Promise<void> {
  await queueOf(env, message.type).send(message, delaySeconds > 0 ? { delaySeconds } : {});
}

/** Once more to the queue that it came from. */
export async function sendAgain(
  env: Queues & Pick<Env, 'EVENTS_QUEUE'>,
  message: QueueMessage,
): Promise<void> {
  if (message.type === 'events.recorded') await env.EVENTS_QUEUE.send(message);
  else await sendMessage(env, message);
}
