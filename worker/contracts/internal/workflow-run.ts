/**
 * Calls between the Worker and the workflow runners, two deployments of one Worker that executes customers' code. JSON over a service
 * binding. A runner keeps the code that it has seen; a request without code is answered with `code-needed` if it has not.
 */
import type { WorkflowExecution } from '../console/workflow-executions.ts';

/** Largest compiled workflow, in characters. */
export const MAX_COMPILED_LENGTH = 256 * 1024;

/** A longer run is long: milliseconds, of all workflows of one request. */
export const SHORT_RUN_MS = 2;

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
  /** Epoch milliseconds; null if unknown. */
  readonly currentPeriodEndAt: number | null;
  readonly cancelAt: number | null;
  readonly trialEndAt: number | null;
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

export interface WorkflowCode {
  readonly workflowId: string;
  /** Compiled JavaScript, as the editor produced it. */
  readonly compiled: string;
}

/** Runs workflows on one input, side by side. */
export interface RunRequest {
  /** Shares of the runner's time are by organisation. */
  readonly orgId: string;
  /** A hash of tenant and code: equal ids have equal code. Null: the code is used once and not kept. */
  readonly sandboxId: string | null;
  /** Absent: the runner has seen the code before. */
  readonly code?: readonly WorkflowCode[];
  readonly runs: readonly PlannedRun[];
  readonly input: WorkflowInput;
  /** Seed of Math.random: the same seed gives the same numbers. */
  readonly seed: string;
  /** Wall time for all runs together; each gets half of it at most. */
  readonly budgetMs: number;
}

export interface PlannedRun {
  readonly workflowId: string;
  readonly feature?: WorkflowFeature;
}

export type RunReply =
  | {
      readonly kind: 'done';
      readonly outcomes: readonly RunOutcome[];
      /** Absent: nothing ran. */
      readonly cost?: RunCost;
    }
  | { readonly kind: 'code-needed' };

/** What the runs of one request took of the runner's thread, without loading their code. Milliseconds. */
export interface RunCost {
  /** By the steps that they counted: the same on every machine. */
  readonly countedMs: number;
  /** By the clock: too little where it stops while code runs, as in production, and too much on a busy machine. */
  readonly elapsedMs: number;
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

export interface CheckCodeRequest {
  readonly orgId: string;
  readonly compiled: string;
}

export interface CheckCodeReply {
  /** Empty: the code can run. */
  readonly problems: readonly CodeProblem[];
}

export interface CodeProblem {
  /** In the source, from 1; in the compiled JavaScript if it does not name the source's lines. Null: the whole code. */
  readonly line: number | null;
  readonly message: string;
}
