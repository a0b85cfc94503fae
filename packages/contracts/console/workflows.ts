/** Workflows: customers' own TypeScript, which runs inside an access check. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { descriptionSchema, idSchema, instantSchema, nameSchema } from '../public/text.ts';

export const MAX_WORKFLOWS = 100;
/** UTF-8 bytes of a workflow's source, and of its compiled code. */
export const MAX_CODE_BYTES = 256 * 1024;
/** UTF-8 bytes of the compiled code of all workflows of an organisation, with its sources: what versions contain. */
export const MAX_TOTAL_CODE_BYTES = 1024 * 1024;

/** What a workflow decides: which plans apply, or the values of one feature. */
export const workflowTypeSchema = z.enum(['dynamic-provisioning', 'feature-behaviour']);
export type WorkflowType = z.infer<typeof workflowTypeSchema>;

export const workflowSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: workflowTypeSchema,
  /** The feature whose values the workflow sets; it may have been deleted since. Null for dynamic provisioning. */
  featureId: z.string().nullable(),
  /** A disabled workflow is saved but not executed. */
  enabled: z.boolean(),
  /** Whether the source is newer than the compiled code, or there is no compiled code yet. */
  isDraft: z.boolean(),
  /** Whether the workflow has compiled code: without, it is not part of versions. */
  isCompiled: z.boolean(),
  /** The environments in which the workflow was switched off, because at least half of its runs were stopped. */
  disabledIn: z.array(z.string()),
  /** How many of the saved tests ended how on the saved code. */
  tests: z.object({ passed: z.int(), failed: z.int(), notRun: z.int() }),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type WorkflowSummary = z.infer<typeof workflowSummarySchema>;

export const workflowSchema = workflowSummarySchema.extend({
  /** TypeScript. */
  source: z.string(),
  /** The JavaScript of the last source that compiled. Null until there is one. */
  compiled: z.string().nullable(),
});
export type Workflow = z.infer<typeof workflowSchema>;

export const createWorkflowSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema.optional(),
    type: workflowTypeSchema,
    featureId: idSchema.nullish(),
  })
  .superRefine(({ type, featureId }, ctx) => {
    const isGiven = featureId !== null && featureId !== undefined;
    if (type === 'feature-behaviour' && !isGiven)
      ctx.addIssue({ code: 'custom', path: ['featureId'], message: 'Feature is required' });
    if (type === 'dynamic-provisioning' && isGiven)
      ctx.addIssue({ code: 'custom', path: ['featureId'], message: 'Dynamic provisioning has no feature' });
  });

const codeSchema = z
  .string()
  .refine((text) => !text.includes('\0'), 'Must not contain NUL characters')
  .refine((text) => !/\p{Surrogate}/u.test(text), 'Contains invalid Unicode')
  .refine(
    (text) => text.length <= MAX_CODE_BYTES && new TextEncoder().encode(text).byteLength <= MAX_CODE_BYTES,
    `Must be at most ${MAX_CODE_BYTES / 1024} KB`,
  );

/** Name, description and whether it runs. */
export const workflowDetailsSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema,
  enabled: z.boolean(),
});

/**
 * A source without `compiled` is kept as a draft: the previous compiled code stays. `updatedAt` is the state that was
 * edited (optimistic lock). A later edit makes the response a conflict.
 */
export const updateWorkflowSchema = workflowDetailsSchema
  .extend({ source: codeSchema, compiled: codeSchema, updatedAt: instantSchema })
  .partial()
  .superRefine(({ source, compiled }, ctx) => {
    if (compiled !== undefined && source === undefined)
      ctx.addIssue({ code: 'custom', path: ['source'], message: 'Required with compiled' });
  });

const base = '/api/orgs/:orgId/workflows';

export const workflowEndpoints = {
  list: member.get(base, {
    summary: 'List workflows, without their code',
    reads: 'workflows',
    answer: z.array(workflowSummarySchema),
  }),
  create: member.post(base, {
    summary: 'Create a workflow without code',
    changes: ['workflows', 'workspace'],
    body: createWorkflowSchema,
    answer: workflowSchema,
    status: 201,
  }),
  get: member.get(`${base}/:workflowId`, {
    summary: 'Read a workflow with its code',
    reads: 'workflows',
    answer: workflowSchema,
  }),
  update: member.put(`${base}/:workflowId`, {
    summary: "Change a workflow's details or code",
    changes: ['workflows', 'workspace'],
    body: updateWorkflowSchema,
    answer: workflowSchema,
  }),
  remove: member.remove(`${base}/:workflowId`, {
    summary: 'Delete a workflow',
    changes: ['workflows', 'workspace'],
  }),
  /** Five kills in a row switch a workflow off in an environment. */
  enable: member.post('/api/orgs/:orgId/environments/:environmentId/workflows/:workflowId/enable', {
    summary: 'Enable a workflow again in an environment',
    changes: ['workflows', 'workspace'],
  }),
} as const;
