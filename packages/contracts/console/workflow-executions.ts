/** Executions of customers' workflows, as recorded with the event of the call that ran them. */
import { z } from 'zod';
import { idSchema, instantSchema, MAX_GIVEN_INSTANT } from '../public/text.ts';

export const workflowLogLevelSchema = z.enum(['log', 'warn', 'error']);

const runStatusSchema = z.enum(['done', 'failed', 'killed', 'lost', 'skipped']);

export const workflowExecutionSchema = z.object({
  executionId: z.string(),
  workflowId: z.string(),
  workflowName: z.string(),
  success: z.boolean(),
  /**
   * How it ended; absent in older events. failed: the code threw, or returned something that is not plain data. killed: it exceeded
   * a budget or broke its isolate. lost: the isolate broke while several workflows ran, or the runner did not answer in time, so
   * another workflow may be the cause. skipped: it did not begin.
   */
  status: runStatusSchema.optional(),
  result: z.unknown(),
  /** The result was too long to be stored, so it is null. */
  isResultDropped: z.boolean().optional(),
  /** `m`: the message; `l`: its level; `t`: when, epoch milliseconds. */
  logs: z.array(z.object({ m: z.string(), l: workflowLogLevelSchema, t: z.number() })),
  /** Later log lines that were not stored. */
  droppedLogs: z.int().optional(),
  diagnosticMessages: z.array(z.string()),
  /** Milliseconds. */
  wallTime: z.number(),
  /** For "Run again": the same input and random seed give the same result. */
  input: z.unknown(),
  seed: z.string(),
});
export type WorkflowExecution = z.infer<typeof workflowExecutionSchema>;

/** One run in a list. The event's executions have the rest. */
export const recordedRunSchema = z.object({
  eventId: z.string(),
  executionId: z.string(),
  /** When the call started. */
  time: instantSchema,
  envId: z.string(),
  subjectIdentifier: z.string().nullable(),
  /** As in an execution; older ones are done or failed. */
  status: runStatusSchema,
  /** Why it failed: the first diagnostic; null if it is done. */
  reason: z.string().nullable(),
  /** Milliseconds. */
  wallTime: z.number(),
});
export type RecordedRun = z.infer<typeof recordedRunSchema>;

export const runCriteriaSchema = z.strictObject({
  workflowId: idSchema,
  /** Only runs that are not done. */
  isFailed: z.boolean().nullish(),
  /** As in the criteria of events. */
  timeTo: z.number().min(0).max(MAX_GIVEN_INSTANT).nullish(),
});
export type RunCriteria = z.infer<typeof runCriteriaSchema>;
