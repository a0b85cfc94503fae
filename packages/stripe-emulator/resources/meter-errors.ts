// Meter events that Stripe accepts and later finds invalid. It reports them in a thin event per meter, which is listed and
// fetched at /v2/core/events: https://docs.stripe.com/billing/subscriptions/usage-based/recording-usage-api#handle-meter-event-errors
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import type { MeterEventErrorRecord, MeterRecord, ThinEventRecord } from '../store/records.ts';
import { planThinDeliveries } from './emit-event.ts';
import { getRecord } from './list-page.ts';

/** How long errors are collected before a report, in seconds. */
const collectSeconds = 5;

export const meterErrorReport = 'v1.billing.meter.error_report_triggered';

/** Keeps the error for the next report of its meter. */
export function noteMeterError(
  context: Context,
  meter: MeterRecord,
  error: Pick<MeterEventErrorRecord, 'code' | 'message' | 'identifier'>,
): void {
  const record: MeterEventErrorRecord = {
    id: newId('mee', 24),
    created: context.now,
    meter: meter.id,
    ...error,
  };
  const due = context.now + collectSeconds;
  context.emulator.objects.insert(context.scope, 'billing.meter_error', record, { parent: meter.id, due });
}

/** Reports all errors of a meter that are collected so far. */
export function reportMeterErrors(context: Context, meterId: string): void {
  const { objects } = context.emulator;
  const errors = objects.all(context.scope, 'billing.meter_error', { parent: meterId }).reverse();
  const [first] = errors;
  if (first === undefined) return;
  const types = Map.groupBy(errors, ({ code }) => code);
  const event: ThinEventRecord = {
    id: newId('evt_test', 48),
    created: context.now,
    type: meterErrorReport,
    related_object: { id: meterId, type: 'billing.meter', url: `/v1/billing/meters/${meterId}` },
    data: {
      developer_message_summary: `There ${errors.length === 1 ? 'is 1 invalid event' : `are ${errors.length} invalid events`}`,
      reason: {
        error_count: errors.length,
        error_types: [...types].map(([code, ofType]) => ({
          code,
          error_count: ofType.length,
          sample_errors: ofType
            .slice(0, 5)
            .map(({ message, identifier }) => ({ error_message: message, request: { identifier } })),
        })),
      },
      validation_start: toIso(first.created),
      validation_end: toIso(context.now),
    },
  };
  for (const { id } of errors) objects.remove(context.scope, 'billing.meter_error', id);
  objects.insert(context.scope, 'v2.core.event', event, { parent: meterId, key: event.type });
  planThinDeliveries(context, event);
}

export function retrieveThinEvent(context: Context, id: string): object {
  return showThinEvent(context, getRecord(context, 'v2.core.event', id), true);
}

export function listThinEvents(context: Context, params: Params): object {
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 20;
  params.accept('types', 'created', 'page', 'gt', 'gte', 'lt', 'lte');
  const parent = params.text('object_id');
  const events = context.emulator.objects.all(context.scope, 'v2.core.event', { parent }).slice(0, limit);
  const data = events.map((event) => showThinEvent(context, event, true));
  return { data, next_page_url: null, previous_page_url: null };
}

/** @param withData false in a delivery, which is only a notification */
export function showThinEvent(context: Context, record: ThinEventRecord, withData: boolean): object {
  return {
    id: record.id,
    object: 'v2.core.event',
    context: null,
    created: toIso(record.created),
    livemode: context.livemode,
    reason: null,
    related_object: record.related_object,
    type: record.type,
    ...(withData ? { data: record.data } : {}),
  };
}

function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
