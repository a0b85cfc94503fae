/** Saved tests of a workflow: an input, and the result that the code is expected to return for it. They warn and block nothing. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { instantSchema, nameSchema } from '../public/text.ts';
import { workflowInputSchema } from './workflow-runs.ts';

export const MAX_WORKFLOW_TESTS = 20;
/** UTF-8 bytes of an input as JSON, and of an expected result. */
export const MAX_TEST_BYTES = 16 * 1024;

/** not-run: the runner was unavailable, or a limit was reached, so nothing is known about the code. */
export const workflowTestStatusSchema = z.enum(['passed', 'failed', 'not-run']);
export type WorkflowTestStatus = z.infer<typeof workflowTestStatusSchema>;

/** How a test ended. */
const outcomeShape = {
  /** Why it did not pass. Null if it did. */
  message: z.string().nullable(),
  /** What the code returned. Null if it failed, or if the result is too large. */
  result: z.unknown(),
} as const;

export const workflowTestSchema = z.object({
  id: z.string(),
  workflowId: z.string(),
  name: z.string(),
  input: z.unknown(),
  seed: z.string(),
  expected: z.unknown(),
  createdAt: instantSchema,
  createdByUserId: z.string().nullable(),
  /** On the saved code. Null until the test has run on it. */
  status: workflowTestStatusSchema.nullable(),
  ...outcomeShape,
  ranAt: instantSchema.nullable(),
});
export type WorkflowTest = z.infer<typeof workflowTestSchema>;

const hasRoom = (value: unknown) =>
  new TextEncoder().encode(JSON.stringify(value) ?? '').byteLength <= MAX_TEST_BYTES;
const tooLarge = `Must be at most ${MAX_TEST_BYTES / 1024} KB`;

export const addWorkflowTestSchema = z.strictObject({
  name: nameSchema,
  input: workflowInputSchema.refine(hasRoom, tooLarge),
  /** Seed of Math.random. */
  seed: z.string().max(200),
  expected: z.json().refine(hasRoom, tooLarge),
});

/** Tests of all workflows of a version, on the version's code. */
export const versionTestsSchema = z.object({
  passed: z.int(),
  /** Those that did not pass. Without `expected` and `result` where the test did not run. */
  problems: z.array(
    z.object({
      testId: z.string(),
      name: z.string(),
      workflowId: z.string(),
      workflowName: z.string(),
      status: workflowTestStatusSchema.exclude(['passed']),
      expected: z.unknown(),
      ...outcomeShape,
    }),
  ),
});
export type VersionTests = z.infer<typeof versionTestsSchema>;

const base = '/api/orgs/:orgId/workflows/:workflowId/tests';

export const workflowTestEndpoints = {
  list: member.get(base, {
    summary: "List a workflow's tests with their last results, oldest first",
    reads: 'workflows',
    answer: z.array(workflowTestSchema),
  }),
  /** The same input and seed again replaces the expected result. */
  add: member.post(base, {
    summary: 'Add a test, or change the result that it expects',
    changes: ['workflows'],
    body: addWorkflowTestSchema,
    answer: workflowTestSchema,
    status: 201,
  }),
  remove: member.remove(`${base}/:testId`, { summary: 'Delete a test', changes: ['workflows'] }),
  run: member.post(`${base}/run`, {
    summary: "Run a workflow's tests on its saved code",
    changes: ['workflows'],
    answer: z.array(workflowTestSchema),
  }),
  runOnVersion: member.post('/api/orgs/:orgId/artifacts/:artifactId/workflow-tests/run', {
    summary: "Run the tests of all workflows of a version on the version's code",
    reads: 'artifacts',
    answer: versionTestsSchema,
  }),
} as const;
