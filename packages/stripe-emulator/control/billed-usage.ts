// Metered usage and its cost per customer and calendar month (UTC), for tests of metered billing and the control page.
import type { Context } from '../core/emulator.ts';
import { aggregate, meterEvents } from '../resources/meter-usage.ts';
import { priceOfUnits } from '../resources/price-of-units.ts';

export interface BilledUsage {
  customer: string;
  eventName: string;
  /** `2026-11`. */
  month: string;
  /** Accepted meter events. */
  events: number;
  units: number;
  /** Cost by the meter's active price, in minor units of `currency`; null if no price uses the meter. */
  amountMinor: number | null;
  currency: string | null;
}

/** @param customer null for all customers */
export function billedUsage(context: Context, customer: string | null): BilledUsage[] {
  const { objects } = context.emulator;
  const rows: BilledUsage[] = [];
  for (const meter of objects.all(context.scope, 'billing.meter')) {
    const price = objects
      .all(context.scope, 'price', { fields: [['$.recurring.meter', meter.id]] })
      .find(({ active }) => active);
    const customers = customer === null ? customersOf(context, meter.event_name) : [customer];
    for (const id of customers) {
      const byMonth = Map.groupBy(meterEvents(context, meter, id, 0, Infinity), ({ timestamp }) =>
        new Date(timestamp * 1000).toISOString().slice(0, 7),
      );
      for (const [month, events] of byMonth) {
        const units = aggregate(meter, events);
        rows.push({
          customer: id,
          eventName: meter.event_name,
          month,
          events: events.length,
          units,
          amountMinor: price ? priceOfUnits(price, units) : null,
          currency: price?.currency ?? null,
        });
      }
    }
  }
  return rows.sort((a, b) => b.month.localeCompare(a.month) || a.customer.localeCompare(b.customer));
}

function customersOf(context: Context, eventName: string): string[] {
  const events = context.emulator.objects.all(context.scope, 'billing.meter_event', { keys: [eventName] });
  return [...new Set(events.map(({ customer }) => customer))];
}
