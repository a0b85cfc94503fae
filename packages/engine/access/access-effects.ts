/**
 * Everything that the access pipeline needs from outside: the cache and database of customer facts, usage ledgers, and
 * customers' workflow code. The pipeline itself has no I/O, so its tests replace these with plain objects.
 */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { CustomerFacts, LoadedFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { CheckContext } from '#contracts/public/check-context';
import type { Warning } from '#contracts/public/subjects';
import type { ValueOverride } from '../entitlements/override-values.ts';
import type { ProvisionedPlans } from '../entitlements/plans-of.ts';
import type { PreparedArtifact } from '../entitlements/prepared-artifact.ts';
import type { Readings } from '../entitlements/render-features.ts';
import type { Resolution } from '../entitlements/resolution.ts';
import type { AccessEnvironment } from './access-environment.ts';
import type { Identity } from './identify-subject.ts';
import type { LedgerRequest, LedgerResult, RecallRequest, Usage, UsageRequest } from './ledger-call.ts';
import type { Place } from './place.ts';

export interface RecalledFacts {
  readonly facts: CustomerFacts;
  /** Not confirmed within the last 30 s. */
  readonly isStale: boolean;
}

export interface FactsEffects {
  /** Returns NO_FACTS if nothing is cached. */
  getCached(environmentId: string, customer: string, now: number): CustomerFacts;
  /** The last confirmed facts, of up to a day ago; undefined if there are none in memory. */
  recall(environmentId: string, customer: string, now: number): RecalledFacts | undefined;
  cache(environmentId: string, customer: string, facts: CustomerFacts, now: number): void;
  /**
   * Loads from the database; null if it cannot be reached, or the organisation has too many new customers at once. Never throws.
   * @param endsAt when the call's budget ends, epoch milliseconds
   */
  load(
    snapshot: EnvironmentSnapshot,
    customer: string,
    endsAt: number | undefined,
  ): Promise<CustomerFacts | null>;
}

/** A ledger that is sent facts without counting or reading anything. */
export interface FactsPush {
  readonly customer: string;
  readonly place: Place;
  readonly isStrict: boolean;
  readonly now: number;
  readonly endsAt: number | undefined;
  readonly loaded: LoadedFacts;
}

export interface LedgerEffects {
  /** Readings in memory that answer a bounded read; null if there are none. */
  recall(snapshot: EnvironmentSnapshot, request: RecallRequest): Readings | null;
  /** The last readings, for when no ledger answers: those that are in memory. */
  recallLast(
    snapshot: EnvironmentSnapshot,
    request: Pick<RecallRequest, 'customer' | 'entity' | 'reads' | 'now'>,
  ): Readings;
  /** Without a ledger, the usage is a failure. */
  read(snapshot: EnvironmentSnapshot, request: UsageRequest): Promise<Usage>;
  /** Counts the request's updates. @throws {ApiError} unavailable */
  count(snapshot: EnvironmentSnapshot, request: LedgerRequest): Promise<LedgerResult>;
  /** Never throws: a ledger that missed the facts requests them again. */
  pushFacts(snapshot: EnvironmentSnapshot, push: FactsPush): Promise<void>;
}

/** A check in which workflows run. */
export interface WorkflowCheck {
  readonly loaded: Pick<AccessEnvironment, 'snapshot' | 'prepared' | 'workflowCode'>;
  readonly identity: Identity;
  readonly place: Place;
  readonly context: CheckContext;
  readonly now: number;
  /** Of the code's random numbers: the same seed repeats a run. */
  readonly seed: string;
}

/** The subject of a check, as workflows see it. */
export interface WorkflowSubject {
  /** Canonical identifier; null for anonymous subjects. */
  readonly customer: string | null;
  readonly facts: CustomerFacts;
  /** Slugs: before provisioning, the plans without workflows. */
  readonly plans: readonly string[];
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

/** The workflows of one check. They never fail: what they could not decide, the plans decide, with a warning. */
export interface WorkflowRuns {
  /** Adds to the subject's plans, or replaces them. Runs again if the facts change during the check. */
  provision(subject: WorkflowSubject): Promise<Provisioned>;
  /** Changes the values of features, after usage is known. */
  behave(subject: WorkflowSubject, resolution: Resolution, readings: Readings | null): Promise<Behaviour>;
  /** Milliseconds spent on both so far. */
  readonly elapsedMs: number;
  /** What ran, for the event. */
  readonly executions: readonly WorkflowExecution[];
}

/** Customers' workflow code. */
export interface WorkflowEffects {
  /** Whether workflows run in checks of this version. A check without them costs nothing more. */
  has(prepared: PreparedArtifact): boolean;
  start(check: WorkflowCheck): WorkflowRuns | null;
}

export interface AccessEffects {
  readonly facts: FactsEffects;
  readonly ledger: LedgerEffects;
  readonly workflows: WorkflowEffects;
}
