// Meters and their events: https://docs.stripe.com/api/billing/meter and https://docs.stripe.com/api/billing/meter-event.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, StripeError } from '../core/stripe-error.ts';
import type { MeterEventRecord, MeterRecord } from '../store/records.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, pageOf } from './list-page.ts';
import { noteMeterError } from './meter-errors.ts';
import { aggregate, meterEvents } from './meter-usage.ts';

const day = 86_400;
const maxAge = 35 * day;
const maxAhead = 300;

export function showMeter(context: Context, record: MeterRecord): Stripe.Billing.Meter {
  return { ...record, object: 'billing.meter', livemode: context.livemode };
}

export function createMeter(context: Context, params: Params): Stripe.Billing.Meter {
  const eventName = params.requiredText('event_name');
  const displayName = params.requiredText('display_name');
  const aggregation = params.object('default_aggregation');
  const formula = aggregation?.choice('formula', ['sum', 'count', 'last']);
  if (formula === undefined) throw parameterMissing('default_aggregation[formula]');
  if (activeMeter(context, eventName)) {
    throw invalidRequest(`There is already an active meter with the event name ${eventName}.`, {
      param: 'event_name',
    });
  }
  const mapping = params.object('customer_mapping');
  mapping?.accept('type');
  const customerKey = mapping?.text('event_payload_key') ?? 'stripe_customer_id';
  const valueKey = params.object('value_settings')?.text('event_payload_key') ?? 'value';
  const window = params.choice('event_time_window', ['day', 'hour']) ?? null;
  params.accept('dimension_payload_keys');
  const record = newMeterRecord(context.now, {
    eventName,
    displayName,
    formula,
    customerKey,
    valueKey,
    window,
  });
  return addMeter(context, record);
}

interface MeterShape {
  eventName: string;
  displayName: string;
  formula?: 'sum' | 'count' | 'last';
  customerKey?: string;
  valueKey?: string;
  window?: 'day' | 'hour' | null;
}

export function newMeterRecord(created: number, shape: MeterShape): MeterRecord {
  return {
    id: newId('mtr', 24),
    created,
    customer_mapping: { event_payload_key: shape.customerKey ?? 'stripe_customer_id', type: 'by_id' },
    default_aggregation: { formula: shape.formula ?? 'sum' },
    display_name: shape.displayName,
    event_name: shape.eventName,
    event_time_window: shape.window ?? null,
    status: 'active',
    status_transitions: { deactivated_at: null },
    updated: created,
    value_settings: { event_payload_key: shape.valueKey ?? 'value' },
  };
}

export function addMeter(context: Context, record: MeterRecord): Stripe.Billing.Meter {
  context.emulator.objects.insert(context.scope, 'billing.meter', record, attributesOf(record));
  const shown = showMeter(context, record);
  emitEvent(context, 'billing.meter.created', shown);
  return shown;
}

export function updateMeter(context: Context, params: Params, id: string): Stripe.Billing.Meter {
  const record = getRecord(context, 'billing.meter', id);
  const changed = {
    ...record,
    display_name: params.text('display_name') ?? record.display_name,
    updated: context.now,
  };
  return saveMeter(context, changed, 'billing.meter.updated');
}

export function deactivateMeter(context: Context, id: string): Stripe.Billing.Meter {
  const record = getRecord(context, 'billing.meter', id);
  const status_transitions = { deactivated_at: context.now };
  return saveMeter(
    context,
    { ...record, status: 'inactive', status_transitions },
    'billing.meter.deactivated',
  );
}

export function reactivateMeter(context: Context, id: string): Stripe.Billing.Meter {
  const record = getRecord(context, 'billing.meter', id);
  const status_transitions = { deactivated_at: null };
  return saveMeter(context, { ...record, status: 'active', status_transitions }, 'billing.meter.reactivated');
}

export function listMeters(context: Context, params: Params): List<Stripe.Billing.Meter> {
  const status = params.choice('status', ['active', 'inactive']);
  return listPage(context, params, {
    kind: 'billing.meter',
    url: '/v1/billing/meters',
    filters: { statuses: status && [status] },
    show: (record) => showMeter(context, record),
  });
}

/** One sum for the whole period, or one per hour or day with `value_grouping_window`; newest first. */
export function listMeterSummaries(
  context: Context,
  params: Params,
  id: string,
): List<Stripe.Billing.MeterEventSummary> {
  const meter = getRecord(context, 'billing.meter', id);
  const customer = params.requiredText('customer');
  const from = params.requiredInteger('start_time');
  const to = params.requiredInteger('end_time');
  const grouping = params.choice('value_grouping_window', ['hour', 'day']);
  params.accept('limit', 'starting_after', 'ending_before', 'dimension_filters', 'dimension_group_by_keys');
  const events = meterEvents(context, meter, customer, from, to);
  const width = grouping === 'hour' ? 3600 : grouping === 'day' ? day : to - from;
  const windows = Map.groupBy(
    events,
    ({ timestamp }) => from + Math.floor((timestamp - from) / width) * width,
  );
  const summaries = [...windows].map(
    ([start, inWindow]): Stripe.Billing.MeterEventSummary => ({
      id: `mtrusg_${id.slice(4)}${start}`,
      object: 'billing.meter_event_summary',
      aggregated_value: aggregate(meter, inWindow),
      end_time: start + width,
      livemode: context.livemode,
      meter: id,
      start_time: start,
    }),
  );
  summaries.sort((a, b) => b.start_time - a.start_time);
  const url = `/v1/billing/meters/${id}/event_summaries`;
  return pageOf(params, { url, name: 'meter event summary', items: summaries });
}

/**
 * Counts usage. Rejects an identifier that was used before, as Stripe does for at least a day. Customer and value are checked
 * later, as in Stripe: the event is accepted, and an error report follows.
 */
export function createMeterEvent(context: Context, params: Params): Stripe.Billing.MeterEvent {
  const eventName = params.requiredText('event_name');
  const payload = params.entries('payload');
  if (payload === undefined) throw parameterMissing('payload');
  const identifier = params.text('identifier') ?? newId('mevt', 24);
  const timestamp = params.integer('timestamp') ?? context.now;
  const meter = activeMeter(context, eventName);
  if (meter === undefined) {
    throw invalidRequest(`No active meter found for event name \`${eventName}\`.`, { param: 'event_name' });
  }
  if (timestamp < context.now - maxAge) {
    throw invalidRequest('Timestamp is too old: it must be within the past 35 days.', {
      code: 'timestamp_too_far_in_past',
      param: 'timestamp',
    });
  }
  if (timestamp > context.now + maxAhead) {
    throw invalidRequest('Timestamp is in the future: it may be at most 5 minutes ahead.', {
      code: 'timestamp_in_future',
      param: 'timestamp',
    });
  }
  refuseDuplicate(context, identifier);
  const event = {
    id: identifier,
    created: context.now,
    event_name: eventName,
    payload: Object.fromEntries(payload),
    timestamp,
  };
  const invalid = invalidityOf(context, meter, payload);
  if (invalid !== null) noteMeterError(context, meter, { ...invalid, identifier });
  const record: MeterEventRecord = {
    ...event,
    // What is invalid counts for nobody; its identifier is used up all the same.
    customer: invalid === null ? (payload.get(meter.customer_mapping.event_payload_key) ?? '') : '',
    value: invalid === null ? numberIn(meter, payload) : 0,
  };
  context.emulator.objects.insert(context.scope, 'billing.meter_event', record, {
    parent: record.customer,
    key: eventName,
  });
  return showMeterEvent(context, record);
}

function showMeterEvent(context: Context, record: MeterEventRecord): Stripe.Billing.MeterEvent {
  return {
    object: 'billing.meter_event',
    created: record.created,
    event_name: record.event_name,
    identifier: record.id,
    livemode: context.livemode,
    payload: record.payload,
    timestamp: record.timestamp,
  };
}

function refuseDuplicate(context: Context, identifier: string): void {
  const { objects } = context.emulator;
  if (objects.find(context.scope, 'billing.meter_event', identifier) === undefined) return;
  const message = `An event already exists with identifier ${identifier}.`;
  throw new StripeError(400, { type: 'invalid_request_error', message }, { 'stripe-should-retry': 'false' });
}

/** Null for a valid event. The codes are Stripe's. */
function invalidityOf(
  context: Context,
  meter: MeterRecord,
  payload: ReadonlyMap<string, string>,
): { code: string; message: string } | null {
  const key = meter.customer_mapping.event_payload_key;
  const id = payload.get(key);
  if (id === undefined) {
    const message = `Customer mapping key ${key} not found in payload.`;
    return { code: 'meter_event_no_customer_defined', message };
  }
  const customer = context.emulator.objects.find(context.scope, 'customer', id);
  if (customer === undefined || customer.deleted) {
    return { code: 'meter_event_customer_not_found', message: `Customer ${id} not found.` };
  }
  if (Number.isFinite(numberIn(meter, payload))) return null;
  const text = payload.get(meter.value_settings.event_payload_key) ?? '';
  return { code: 'meter_event_invalid_value', message: `Invalid value in payload: ${text}` };
}

/** NaN without a number. A `count` meter needs none. */
function numberIn(meter: MeterRecord, payload: ReadonlyMap<string, string>): number {
  if (meter.default_aggregation.formula === 'count') return 1;
  const text = payload.get(meter.value_settings.event_payload_key)?.trim();
  return text ? Number(text) : Number.NaN;
}

function activeMeter(context: Context, eventName: string): MeterRecord | undefined {
  const [meter] = context.emulator.objects.all(context.scope, 'billing.meter', {
    keys: [eventName],
    statuses: ['active'],
  });
  return meter;
}

type MeterChange = 'billing.meter.updated' | 'billing.meter.deactivated' | 'billing.meter.reactivated';

function saveMeter(context: Context, record: MeterRecord, type: MeterChange): Stripe.Billing.Meter {
  context.emulator.objects.update(context.scope, 'billing.meter', record, attributesOf(record));
  const shown = showMeter(context, record);
  emitEvent(context, type, shown);
  return shown;
}

function attributesOf({ event_name, status }: MeterRecord) {
  return { key: event_name, status };
}
