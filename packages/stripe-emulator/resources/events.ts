// Events: https://docs.stripe.com/api/events. The last thirty days can be listed, as in Stripe.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { EventRecord } from '../store/records.ts';
import { type List, listPage, readCreated } from './list-page.ts';

const keptSeconds = 30 * 86_400;

/** The event as delivered: its object is a snapshot from the time of the event. */
export function showEvent(context: Context, record: EventRecord): Stripe.Event {
  const data = record.previous_attributes
    ? { object: record.object, previous_attributes: record.previous_attributes }
    : { object: record.object };
  const event: Stripe.EventBase = {
    id: record.id,
    object: 'event',
    api_version: record.api_version,
    created: record.created,
    data,
    livemode: context.livemode,
    pending_webhooks: context.emulator.deliveries.pendingOf(record.id),
    request: record.request ?? { id: null, idempotency_key: null },
    type: record.type as Stripe.Event.Type,
  };
  return event as Stripe.Event;
}

export function listEvents(context: Context, params: Params): List<Stripe.Event> {
  const type = params.text('type');
  const types = params.texts('types');
  params.accept('delivery_success');
  if (type !== undefined && types !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: type, types.', { param: 'types' });
  }
  const created = readCreated(params);
  const oldest = context.now - keptSeconds;
  return listPage(context, params, {
    kind: 'event',
    url: '/v1/events',
    filters: {
      created: { ...created, gte: Math.max(created?.gte ?? oldest, oldest) },
      keyPatterns: type === undefined ? undefined : [type],
      keys: types,
    },
    show: (record) => showEvent(context, record),
  });
}
