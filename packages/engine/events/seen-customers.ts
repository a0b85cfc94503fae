/**
 * Reads from stored lines which customers were seen, and what their meters said. The list of customers is kept up to date
 * with it (worker/domains/customers/README.md, "The customers table").
 */
import type { MeterReading, SeenCustomer } from '#contracts/internal/seen-customers';
import { readLineHeads } from './event-line.ts';
import { type EventShape, featuresOf } from './event-shape.ts';

/** Per customer, the newest ones: callers choose the lists of features, so there is no end of different ones. */
const MAX_READINGS = 50;

/** By identifier. Meters: the newest reading of each environment and list of features, up to MAX_READINGS. */
export type SeenCustomers = Map<string, { at: number; readings: Map<string, MeterReading> }>;

/**
 * Payment events are no sightings: Stripe sends them whether or not the customer uses the product.
 * @param seen is added to
 * @param slugsOf the slugs in the features text that a shape refers to
 */
export function addSeenCustomers(
  seen: SeenCustomers,
  envId: string,
  { lines, shapes }: { readonly lines: string; readonly shapes: readonly EventShape[] },
  slugsOf: (text: number) => readonly string[],
): void {
  for (const { time, shape, subjectIdentifier, nearLimits } of readLineHeads(lines, shapes)) {
    if (subjectIdentifier === null || shape.type === 'se') continue;
    let customer = seen.get(subjectIdentifier);
    if (customer === undefined) {
      customer = { at: time, readings: new Map() };
      seen.set(subjectIdentifier, customer);
    }
    customer.at = Math.max(customer.at, time);
    if (!shape.isMetered) continue;
    const features = featuresOf(shape, slugsOf);
    const key = `${envId}\t${features.join()}`;
    if ((customer.readings.get(key)?.at ?? 0) > time) continue;
    customer.readings.set(key, { envId, features, at: time, nearLimits });
    if (customer.readings.size > MAX_READINGS) deleteOldest(customer.readings);
  }
}

function deleteOldest(readings: Map<string, MeterReading>): void {
  let oldest: { readonly key: string; readonly at: number } | null = null;
  for (const [key, { at }] of readings) {
    if (oldest === null || at < oldest.at) oldest = { key, at };
  }
  if (oldest !== null) readings.delete(oldest.key);
}

/** Oldest reading first. */
export function listSeenCustomers(seen: SeenCustomers): SeenCustomer[] {
  return [...seen].map(([identifier, { at, readings }]) => ({
    identifier,
    at,
    readings: [...readings.values()].sort((one, other) => one.at - other.at),
  }));
}
