/**
 * Runs of workflows: what customers' code receives, what is loaded, and how it ended. Local servers send runs to a process of its
 * own, as JSON.
 */
import type { z } from 'zod';
import type { WorkflowExecution } from '../console/workflow-executions.ts';
import type { workflowInputSchema } from '../console/workflow-runs.ts';

/** Largest compiled workflow, in characters. */
export const MAX_COMPILED_LENGTH = 256 * 1024;

type Frozen<Data> = Data extends object ? { readonly [Key in keyof Data]: Frozen<Data[Key]> } : Data;

/** What customers' code receives: frozen plain data. */
export type WorkflowInput = Frozen<z.output<typeof workflowInputSchema>>;
export type WorkflowCustomer = WorkflowInput['customer'];
/** The feature whose values a workflow may change. */
export type WorkflowFeature = NonNullable<WorkflowInput['feature']>;
export type WorkflowMeter = WorkflowFeature['meters'][string];

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
