/**
 * Everything that the access pipeline needs from outside: the cache and database of customer facts, usage ledgers, and
 * customers' workflow code. The pipeline itself has no I/O, so its tests replace these with plain objects.
 */
import type { CustomerFacts, LoadedFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Warning } from '#contracts/public/subjects';
import type { ValueOverride } from '#engine/entitlements/override-values';
import type { ProvisionedPlans } from '#engine/entitlements/plans-of';
import type { Readings } from '#engine/entitlements/render-features';
import type { Resolution } from '#engine/entitlements/resolution';
import type { Count, CountAnswer, CountRequest } from '#worker/domains/metering/count-usage';
import type { Usage, UsageRequest } from '#worker/domains/metering/read-usage';
import type { Place } from '#worker/http/place';
import type { Identity } from './identify-subject.ts';

export interface FactsEffects {
  /** Returns NO_FACTS if nothing is cached. */
  getCached(environmentId: string, customer: string, now: number): CustomerFacts;
  cache(environmentId: string, customer: string, facts: CustomerFacts, now: number): void;
  /** Loads from the database; null if it cannot be reached. Never throws. */
  load(snapshot: EnvironmentSnapshot, customer: string): Promise<CustomerFacts | null>;
}

/** A ledger that is sent facts without counting or reading anything. */
export interface FactsPush {
  readonly customer: string;
  readonly place: Place;
  readonly isStrict: boolean;
  readonly now: number;
  readonly loaded: LoadedFacts;
}

export interface LedgerEffects {
  /** Never throws: without a ledger, the readings are empty and a warning says so. */
  read(snapshot: EnvironmentSnapshot, request: UsageRequest): Promise<Usage>;
  /** @throws {ApiError} as countUsage */
  count(
    snapshot: EnvironmentSnapshot,
    resolution: Resolution,
    count: Count,
    path: string,
    request: CountRequest,
  ): Promise<CountAnswer>;
  /** Never throws: a ledger that missed the facts requests them again. */
  pushFacts(snapshot: EnvironmentSnapshot, push: FactsPush): Promise<void>;
}

/** The subject of a check, as workflows see it. */
export interface WorkflowSubject {
  readonly snapshot: EnvironmentSnapshot;
  readonly identity: Identity;
  /** Canonical identifier; null for anonymous subjects. */
  readonly customer: string | null;
  readonly facts: CustomerFacts;
  readonly now: number;
}

export interface Provisioned {
  readonly plans: readonly ProvisionedPlans[];
  readonly warnings: readonly Warning[];
}

export interface Behaviour {
  /** Values that replace those of the plans. A value that does not fit its property is ignored with a warning. */
  readonly overrides: readonly ValueOverride[];
  readonly warnings: readonly Warning[];
}

/** Customers' workflow code. Both stages are skipped, at no cost, in environments without workflows. */
export interface WorkflowEffects {
  /** Adds to the subject's plans, or replaces them. Runs again if the facts change during the check. */
  provision(subject: WorkflowSubject): Promise<Provisioned>;
  /** Changes the values of features, after usage is known. */
  behave(subject: WorkflowSubject, resolution: Resolution, readings: Readings | null): Promise<Behaviour>;
}

export interface AccessEffects {
  readonly facts: FactsEffects;
  readonly ledger: LedgerEffects;
  /** Null if the environment has no workflows. */
  readonly workflows: WorkflowEffects | null;
}
