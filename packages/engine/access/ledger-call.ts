/** What a check asks a customer's ledger, and what it is answered. */
import type { CallerFacts, FactsUpdate } from '#contracts/internal/customer-facts';
import type {
  Companion,
  CounterUpdate,
  LedgerRead,
  LedgerReading,
  UpdateEvent,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Warning } from '#contracts/public/subjects';
import type { Readings } from '../entitlements/render-features.ts';
import type { Refusal } from './api-error.ts';
import type { Place } from './place.ts';

export interface LedgerRequest {
  /** The canonical identifier. */
  readonly customer: string;
  /** One of the customer's, whose account the updates and reads may name, too. */
  readonly entity?: string | undefined;
  readonly place: Place;
  /** Call the home location and no other. */
  readonly isStrict: boolean;
  /** Call this location and no other: it has the hold. One that is disabled has handed it to the home location. */
  readonly only?: Location | undefined;
  readonly updates: readonly CounterUpdate[];
  readonly reads: readonly LedgerRead[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the public call's budget ends, epoch milliseconds; undefined outside the public API. */
  readonly endsAt?: number | undefined;
  /** The facts from which the customer's values were resolved; absent if the environment has no customer facts. */
  readonly facts?: CallerFacts | undefined;
  /** The event of the only update: the ledger delivers it if the isolate cannot. */
  readonly event?: { readonly id: string; readonly said: UpdateEvent } | undefined;
  /** Other customers of the same ledger object, to read in the same call. Only for calls without updates. */
  readonly companions?: readonly Companion[] | undefined;
}

export interface LedgerResult {
  readonly location: Location;
  /** One per update. */
  readonly outcomes: readonly UpdateOutcome[];
  /** One per read. */
  readonly readings: readonly LedgerReading[];
  /** False: a location that may have more usage was not reachable. */
  readonly isWhole: boolean;
  /**
   * Set if the ledger has other facts than the request used. Updates were not counted then, and there are no outcomes.
   */
  readonly factsUpdate: FactsUpdate | undefined;
  /** What was read of each companion; null for those that need a call of their own. Empty if nobody was read beside the customer. */
  readonly companions: readonly (CompanionReadings | null)[];
}

export interface CompanionReadings {
  /** One per read. */
  readonly readings: readonly LedgerReading[];
  /** Set if the ledger has other facts than the request named. */
  readonly factsUpdate: FactsUpdate | undefined;
}

/** No ledger answered. */
export interface LedgerFailure extends Refusal {
  /** The ledgers work, and have more calls than they can answer. */
  readonly isOverloaded: boolean;
}

export type Consistency = 'bounded' | 'local' | 'strict';

export interface Usage {
  readonly readings: Readings;
  /** The location that was read; null if served from the cache, or if no ledger answered. */
  readonly location: Location | null;
  /** Set if the ledger has other facts than the request used. */
  readonly factsUpdate?: FactsUpdate | undefined;
  /** Set if no ledger answered: there are no readings. */
  readonly failure?: LedgerFailure | undefined;
  readonly warnings: readonly Warning[];
}

export interface UsageRequest extends Omit<LedgerRequest, 'updates' | 'isStrict'> {
  readonly consistency: Consistency;
}

export type RecallRequest = Pick<LedgerRequest, 'customer' | 'entity' | 'reads' | 'now' | 'facts'>;
