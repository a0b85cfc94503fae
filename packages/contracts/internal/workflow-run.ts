/**
 * Runs of workflows: what customers' code receives, what is loaded, and how it ended. Local servers send runs to a process of its
 * own, as JSON.
 */
import type { WorkflowExecution } from '../console/workflow-executions.ts';
import type { CheckContext } from '../public/access.ts';

/** Largest compiled workflow, in characters. */
export const MAX_COMPILED_LENGTH = 256 * 1024;

/** What customers' code receives: frozen plain data. */
export interface WorkflowInput {
  readonly identity: {
    readonly isAuthenticated: boolean;
    readonly method: 'anonymous' | 'identifier' | 'jwt';
    /** Canonical; null for anonymous subjects. */
    readonly identifier: string | null;
  };
  readonly customer: WorkflowCustomer;
  readonly place: {
    /** ISO 3166, two letters. */
    readonly country: string | null;
    readonly city: string | null;
    /** Two letters: AF AN AS EU NA OC SA. */
    readonly continent: string | null;
    /** The nearest enabled data location. */
    readonly location: string | null;
  };
  /** What the check's caller said of the situation; empty if nothing. */
  readonly context: CheckContext;
  /** The instant of the check, epoch milliseconds. */
  readonly now: number;
  /** For feature behaviour only. */
  readonly feature?: WorkflowFeature;
}

export interface WorkflowCustomer {
  /** Known to a connected Stripe account. */
  readonly isCustomer: boolean;
  /** The customer that usage counts for; null for anonymous subjects. */
  readonly id: string | null;
  readonly email: string | null;
  /** Slugs: for provisioning, the plans without workflows; for feature behaviour, all plans. */
  readonly plans: readonly string[];
  /** Products of the active subscriptions. */
  readonly productIds: readonly string[];
  /** Metadata of the Stripe customer. */
  readonly metadata: Readonly<Record<string, string>>;
  /** When Stripe created the customer, epoch milliseconds. */
  readonly createdAt: number | null;
  readonly subscriptions: readonly WorkflowSubscription[];
}

export interface WorkflowSubscription {
  readonly id: string;
  /** Stripe's status. */
  readonly status: string;
  readonly productIds: readonly string[];
  readonly items: readonly WorkflowSubscriptionItem[];
  /** Set while Stripe collects no payments. */
  readonly pauseCollection: { readonly behavior: string; readonly resumesAt: number | null } | null;
  /** Epoch milliseconds; null if unknown. */
  readonly currentPeriodEndAt: number | null;
  readonly cancelAt: number | null;
  readonly trialEndAt: number | null;
}

export interface WorkflowSubscriptionItem {
  readonly productId: string;
  /** Null if unknown. */
  readonly priceId: string | null;
  /** Null if the price is metered, or unknown. */
  readonly quantity: number | null;
}

/** The feature whose values a workflow may change. */
export interface WorkflowFeature {
  readonly slug: string;
  /** By property key, as the plans and overrides decide them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By property key. */
  readonly meters: Readonly<Record<string, WorkflowMeter>>;
}

export interface WorkflowMeter {
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly remaining: number | null;
}

/** Workflows as a dynamic worker loads them: made once from the compiled code, stored and published beside the artifact. */
export interface LoadableCode {
  /** SHA-256 of the workflows: equal hashes load the same. */
  readonly hash: string;
  readonly workflows: readonly LoadableWorkflow[];
}

export interface LoadableWorkflow {
  readonly workflowId: string;
  /** An ES module whose default export is the workflow. */
  readonly module: string;
  /** The source's line of each line of the module; empty if it is unknown. */
  readonly lines: readonly number[];
}

/** Runs workflows on one input, side by side. */
export interface RunRequest {
  /** Names whose code it is: no other organisation or environment has a dynamic worker of this name. */
  readonly owner: string;
  readonly code: LoadableCode;
  readonly runs: readonly PlannedRun[];
  readonly input: WorkflowInput;
  /** Seed of the random numbers: the same seed gives the same numbers. */
  readonly seed: string;
  /** For all runs together, milliseconds of wall time. */
  readonly timeoutMs: number;
}

export interface PlannedRun {
  readonly workflowId: string;
  readonly feature?: WorkflowFeature;
}

export interface RunOutcome {
  readonly workflowId: string;
  readonly status: NonNullable<WorkflowExecution['status']>;
  /** Any JSON value; null unless done. */
  readonly result: unknown;
  /** Why it is not done; null if it is. */
  readonly reason: string | null;
  readonly logs: WorkflowExecution['logs'];
  /** Milliseconds. */
  readonly wallTime: number;
}

/** What is wrong with compiled code. */
export interface CodeProblem {
  /** In the source, from 1; in the compiled JavaScript if it does not name the source's lines. Null: the whole code. */
  readonly line: number | null;
  readonly message: string;
}
