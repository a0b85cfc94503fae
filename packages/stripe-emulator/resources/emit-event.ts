// Stores a Stripe event and schedules its delivery to every subscribed endpoint.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { EventRecord, ThinEventRecord, WebhookEndpointRecord } from '../store/records.ts';

/** The API version of the emulator's shapes: the one that the installed SDK pins. */
export const apiVersion = '2026-10-28.endive';

/**
 * @param object the rendered object after the change
 * @param previous previous values of the changed fields; for `*.updated` only
 */
export function emitEvent(
  context: Context,
  type: Stripe.Event.Type,
  object: object,
  previous: Readonly<Record<string, unknown>> | null = null,
): EventRecord {
  const event: EventRecord = {
    id: newId('evt', 24),
    // The real time, also for objects on a test clock: the list of events is in the order in which they happened.
    created: Math.floor(context.emulator.now() / 1000),
    type,
    api_version: apiVersion,
    request: context.request,
    object: JSON.parse(JSON.stringify(object)) as Record<string, unknown>,
    previous_attributes: previous,
  };
  context.emulator.objects.insert(context.scope, 'event', event, { key: type });
  for (const endpoint of context.emulator.objects.all(context.scope, 'webhook_endpoint').reverse()) {
    if (wants(endpoint, type)) planDelivery(context, event, endpoint);
  }
  return event;
}

/** Schedules deliveries of a thin event to the endpoints that name its type: `*` means snapshot events only. */
export function planThinDeliveries(context: Context, event: ThinEventRecord): void {
  for (const endpoint of context.emulator.objects.all(context.scope, 'webhook_endpoint').reverse()) {
    const isWanted = endpoint.status === 'enabled' && endpoint.enabled_events.includes(event.type);
    if (isWanted) planDelivery(context, event, endpoint);
  }
}

/** Schedules another delivery of an event. */
export function resendEvent(context: Context, event: EventRecord): number {
  const endpoints = context.emulator.objects
    .all(context.scope, 'webhook_endpoint')
    .filter((endpoint) => wants(endpoint, event.type));
  for (const endpoint of endpoints)
    insertDelivery(context, event, endpoint, 'pending', context.emulator.now());
  return endpoints.length;
}

function wants({ status, enabled_events: wanted }: WebhookEndpointRecord, type: string): boolean {
  return status === 'enabled' && (wanted.includes('*') || wanted.includes(type));
}

function planDelivery(
  context: Context,
  event: EventRecord | ThinEventRecord,
  endpoint: WebhookEndpointRecord,
): void {
  const { account, emulator } = context;
  const { isDropped, isDoubled, dueAt } = emulator.faults.fateOfDelivery(account.id, emulator.now());
  if (isDropped) {
    insertDelivery(context, event, endpoint, 'dropped', null);
    return;
  }
  insertDelivery(context, event, endpoint, 'pending', dueAt);
  if (isDoubled) insertDelivery(context, event, endpoint, 'pending', dueAt);
}

function insertDelivery(
  { emulator, account, livemode }: Context,
  event: EventRecord | ThinEventRecord,
  endpoint: WebhookEndpointRecord,
  status: 'pending' | 'dropped',
  dueAt: number | null,
): void {
  emulator.deliveries.insert({
    id: newId('wd', 20),
    accountId: account.id,
    livemode,
    eventId: event.id,
    eventType: event.type,
    endpointId: endpoint.id,
    status,
    attempts: [],
    dueAt: account.sendsWebhooks ? dueAt : null,
  });
}
