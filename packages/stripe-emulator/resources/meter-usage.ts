// A customer's usage of a meter.
import type { Context } from '../core/emulator.ts';
import type { MeterEventRecord, MeterRecord, PriceRecord } from '../store/records.ts';

/** Units of a metered price in a period (Unix seconds, end exclusive). */
export function meteredUnits(
  context: Context,
  price: PriceRecord,
  customer: string,
  from: number,
  to: number,
): number {
  const meter =
    price.recurring?.meter &&
    context.emulator.objects.find(context.scope, 'billing.meter', price.recurring.meter);
  return meter ? aggregate(meter, meterEvents(context, meter, customer, from, to)) : 0;
}

/** Events of a meter for a customer, newest first. */
export function meterEvents(
  context: Context,
  meter: MeterRecord,
  customer: string,
  from: number,
  to: number,
): MeterEventRecord[] {
  return context.emulator.objects
    .all(context.scope, 'billing.meter_event', { parent: customer, keys: [meter.event_name] })
    .filter(({ timestamp }) => timestamp >= from && timestamp < to);
}

/** Applies the meter's `default_aggregation`. */
export function aggregate(meter: MeterRecord, events: readonly MeterEventRecord[]): number {
  if (meter.default_aggregation.formula === 'count') return events.length;
  if (meter.default_aggregation.formula === 'last') {
    return events.reduce(
      (last, event) => (event.timestamp > last.timestamp ? event : last),
      events[0] ?? nothing,
    ).value;
  }
  return events.reduce((sum, event) => sum + event.value, 0);
}

const nothing = { timestamp: 0, value: 0 };
