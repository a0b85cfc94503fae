/** Executions of customers' workflows, as recorded with the event of the call that ran them. */
import { z } from 'zod';

export const workflowLogLevelSchema = z.enum(['log', 'warn', 'error']);

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
  status: z.enum(['done', 'failed', 'killed', 'lost', 'skipped']).optional(),
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
