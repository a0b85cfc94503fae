/**
 * Runs of a workflow's code: unsaved, from the editor, with what the test check would then answer; and of a recorded execution again,
 * with the code of its version.
 */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { idSchema } from '../public/text.ts';
import { testCheckAnswerSchema } from './test-access.ts';
import { workflowExecutionSchema } from './workflow-executions.ts';
import { MAX_CODE_BYTES } from './workflows.ts';

const MAX_ENTRIES = 200;
const shortText = z.string().max(500);
const instant = z.number().nullable();

/** What the code receives: typed by a person in place of a customer, or recorded. */
export const workflowInputSchema = z.strictObject({
  identity: z.strictObject({
    isAuthenticated: z.boolean(),
    method: z.enum(['anonymous', 'identifier', 'jwt']),
    /** Canonical; null for anonymous subjects. */
    identifier: shortText.nullable(),
  }),
  customer: z.strictObject({
    /** Known to a connected Stripe account. */
    isCustomer: z.boolean(),
    /** The customer that usage counts for; null for anonymous subjects. */
    id: shortText.nullable(),
    email: shortText.nullable(),
    /** Slugs: for provisioning, the plans without workflows; for feature behaviour, all plans. */
    plans: z.array(shortText).max(MAX_ENTRIES),
    /** Products of the active subscriptions. */
    productIds: z.array(shortText).max(MAX_ENTRIES),
    /** Of the Stripe customer, as is when it was created: epoch milliseconds. */
    metadata: z.record(z.string().max(100), shortText),
    createdAt: instant,
    subscriptions: z
      .array(
        z.strictObject({
          id: shortText,
          status: shortText,
          productIds: z.array(shortText).max(MAX_ENTRIES),
          items: z
            .array(
              z.strictObject({
                productId: shortText,
                priceId: shortText.nullable(),
                /** Null if the price is metered, or unknown. */
                quantity: z.number().nullable(),
              }),
            )
            .max(MAX_ENTRIES)
            // Absent in inputs that an earlier release recorded.
            .default([]),
          /** Set while Stripe collects no payments. */
          pauseCollection: z
            .strictObject({ behavior: shortText, resumesAt: instant })
            .nullable()
            .default(null),
          currentPeriodEndAt: instant,
          cancelAt: instant,
          trialEndAt: instant,
        }),
      )
      .max(MAX_ENTRIES),
  }),
  place: z.strictObject({
    country: shortText.nullable(),
    city: shortText.nullable(),
    /** Two letters, like the country: AF AN AS EU NA OC SA. */
    continent: shortText.nullable(),
    /** The nearest enabled data location. */
    location: shortText.nullable(),
  }),
  /** What the check's caller said of the situation; absent in inputs that an earlier release recorded. */
  context: z.record(z.string().max(100), z.union([z.string(), z.number(), z.boolean()])).default({}),
  /** The instant of the check, epoch milliseconds. */
  now: z.number(),
  /** For feature behaviour only. */
  feature: z
    .strictObject({
      slug: shortText,
      /** By property key, as plans and overrides decide them. */
      values: z.record(z.string().max(100), z.unknown()),
      meters: z.record(
        z.string().max(100),
        /** Without a limit: unlimited. `held`: absent if nothing is. */
        z.strictObject({
          used: z.number(),
          held: z.number().optional(),
          limit: z.number().nullable(),
          remaining: z.number().nullable(),
        }),
      ),
    })
    .optional(),
});

export const runWorkflowSchema = z
  .strictObject({
    /** The unsaved code. Absent: the version's code, or the saved code. */
    compiled: z.string().min(1, 'Required').max(MAX_CODE_BYTES).optional(),
    /** For an execution's input: the version of its check, whose code runs as long as the version exists. */
    artifactId: idSchema.optional(),
    /** A real customer of the preview environment. */
    userIdentifier: z.string().min(1, 'Required').max(200).optional(),
    input: workflowInputSchema.optional(),
    /** Seed of Math.random. An execution's input and seed repeat it. */
    seed: z.string().max(200).optional(),
  })
  .refine(({ userIdentifier, input }) => userIdentifier === undefined || input === undefined, {
    path: ['input'],
    message: 'Send either a userIdentifier or an input',
  })
  .refine(({ artifactId, input }) => artifactId === undefined || input !== undefined, {
    path: ['artifactId'],
    message: 'Requires an input',
  })
  .refine(({ artifactId, compiled }) => artifactId === undefined || compiled === undefined, {
    path: ['artifactId'],
    message: 'Send either an artifactId or compiled code',
  });

/** sent: the request's; version: the version's; saved: the workflow's, also if the version no longer exists. */
export const runCodeSchema = z.enum(['sent', 'version', 'saved']);
export type RunCode = z.infer<typeof runCodeSchema>;

export const workflowRunSchema = z.object({
  execution: workflowExecutionSchema,
  /** Which code ran. */
  code: runCodeSchema,
  /** The test check as it answers now, and with this code. Null for a typed input. */
  before: testCheckAnswerSchema.nullable(),
  after: testCheckAnswerSchema.nullable(),
});

export const workflowRunEndpoints = {
  run: member.post('/api/orgs/:orgId/workflows/:workflowId/runs', {
    summary: "Run a workflow's code, saved or not; without a customer and an input, for an anonymous session",
    changes: [],
    body: runWorkflowSchema,
    answer: workflowRunSchema,
  }),
} as const;
