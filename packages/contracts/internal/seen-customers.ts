/** Which customers an event stream has seen: what it reports for the list of customers. */
import type { NearLimit } from './event-batch.ts';

/** What one check or update read of a customer's meters. */
export interface MeterReading {
  readonly envId: string;
  /** Slugs of the features whose meters were read. */
  readonly features: readonly string[];
  readonly at: number;
  /** The meters near their limits; empty: none of these features is. */
  readonly nearLimits: readonly NearLimit[];
}

export interface SeenCustomer {
  /** Canonical. */
  readonly identifier: string;
  readonly at: number;
  /** Oldest first. */
  readonly readings: readonly MeterReading[];
}

/** Customers of one message. One with many readings is in several. */
export interface Sightings {
  /** Slugs of features; readings refer to a list by its index. */
  readonly featureLists: readonly (readonly string[])[];
  readonly customers: readonly (Omit<SeenCustomer, 'readings'> & {
    readonly readings: readonly (Omit<MeterReading, 'features'> & { readonly list: number })[];
  })[];
}
