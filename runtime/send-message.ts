/** Maps message types to queues, and sends a message. */
import type { Bindings } from './bindings.ts';
import type { EventsRecorded, QueueMessage } from './messages.ts';

export type Queues = Pick<
  Bindings,
  | 'PUBLISH_QUEUE'
  | 'STRIPE_QUEUE'
  | 'STRIPE_CATCH_UP_QUEUE'
  | 'BILLING_QUEUE'
  | 'SYNC_QUEUE'
  | 'SIGHTINGS_QUEUE'
  | 'SCHEDULE_QUEUE'
  | 'FACTS_QUEUE'
  | 'WEBHOOK_QUEUE'
>;
/** Messages that may be sent at once. */
export const MAX_BATCH = 100;
/** A queue's limit of 128 KB. It refuses longer messages, at each attempt. */
export const MAX_MESSAGE_BYTES = 128_000;

/** A queue may deliver a delayed message slightly early. */
export const EARLY_DELIVERY_MS = 1_000;

/** Events have a queue of their own. */
type OtherMessage = Exclude<QueueMessage, EventsRecorded>;
type OtherType = OtherMessage['type'];

/** Separate queues, so that fresh events, older events, billing, long work, sightings, facts, webhooks and publishing do not delay each other. */
const QUEUES: Record<OtherType, keyof Queues> = {
  'workspace.changed': 'PUBLISH_QUEUE',
  'environment.changed': 'PUBLISH_QUEUE',
  'billing.plan-changed': 'PUBLISH_QUEUE',
  'usage.level-passed': 'PUBLISH_QUEUE',
  'usage.notice-due': 'PUBLISH_QUEUE',
  'billing.notice-due': 'PUBLISH_QUEUE',
  'workflow.killed-repeatedly': 'PUBLISH_QUEUE',
  'workflow.switch-off-notice-due': 'PUBLISH_QUEUE',
  'organisation.deletion-notice-due': 'PUBLISH_QUEUE',
  'webhook.notice-due': 'PUBLISH_QUEUE',
  'stripe.event-received': 'STRIPE_QUEUE',
  'stripe.events-released': 'STRIPE_CATCH_UP_QUEUE',
  'stripe.polls-due': 'STRIPE_CATCH_UP_QUEUE',
  'stripe.syncs-due': 'STRIPE_CATCH_UP_QUEUE',
  'stripe.billing-event-received': 'BILLING_QUEUE',
  'stripe.sync-advanced': 'SYNC_QUEUE',
  'stripe.integration-deleted': 'SYNC_QUEUE',
  'stripe.user-ids-changed': 'SYNC_QUEUE',
  'location.closed': 'SYNC_QUEUE',
  'jwt.key-unknown': 'SYNC_QUEUE',
  'customers.seen': 'SIGHTINGS_QUEUE',
  'schedule.work-due': 'SCHEDULE_QUEUE',
  'customer.changed': 'FACTS_QUEUE',
  'stripe.customers-changed': 'FACTS_QUEUE',
  'balance.given': 'FACTS_QUEUE',
  'entity.deleted': 'FACTS_QUEUE',
  'webhook.due': 'WEBHOOK_QUEUE',
  'webhook.customers-changed': 'WEBHOOK_QUEUE',
  'webhook.customers-listed': 'WEBHOOK_QUEUE',
};

/** After a rollback, a stored message may have a type that only the newer release knows: it becomes a dead letter of the publish queue. */
export function queueOf(env: Queues, type: OtherType): Queues[keyof Queues] {
  return env[QUEUES[type] ?? 'PUBLISH_QUEUE'];
}

/** The queue of a message that is sent again after a minute or more: it does not delay fresh events. */
export function resendQueueOf(env: Queues, type: OtherType): Queues[keyof Queues] {
  return type === 'stripe.event-received' ? env.STRIPE_CATCH_UP_QUEUE : queueOf(env, type);
}

export function bytesOf(message: QueueMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).byteLength;
}

/** Call it after the commit of the outbox row. @param delaySeconds delivery delay */
export async function sendMessage(env: Queues, message: OtherMessage, delaySeconds = 0): Promise<void> {
  await queueOf(env, message.type).send(message, delaySeconds > 0 ? { delaySeconds } : {});
}

/** Sends messages of one type. @param messages so small that a hundred stay below a batch's limit of 256 KB */
export async function sendMessages<Type extends OtherType>(
  env: Queues,
  type: Type,
  messages: readonly Extract<OtherMessage, { type: Type }>[],
): Promise<void> {
  for (let first = 0; first < messages.length; first += MAX_BATCH) {
    await queueOf(env, type).sendBatch(messages.slice(first, first + MAX_BATCH).map((body) => ({ body })));
  }
}

/** Sends a message to the queue that it came from. */
export async function sendAgain(
  env: Queues & Pick<Bindings, 'EVENTS_QUEUE'>,
  message: QueueMessage,
): Promise<void> {
  if (message.type === 'events.recorded') await env.EVENTS_QUEUE.send(message);
  else await sendMessage(env, message);
}
