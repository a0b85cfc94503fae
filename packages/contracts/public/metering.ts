/** Counter updates and meter readings. See worker/domains/metering/README.md, "Metering". */
import { z } from 'zod';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { publicErrorSchema } from './errors.ts';
import { formatLimit } from './format-limit.ts';
import { identifierSchema, opaqueSchema, warningSchema } from './subjects.ts';
import { propertyKeySchema, slugSchema } from './text.ts';
import { periodLengthSchema, periodTypeSchema } from './values.ts';
import { verdictFields } from './verdict.ts';

/** Largest amount that one update may add or subtract. */
export const MAX_BY = 10 ** 12;

const amountSchema = z
  .int('Must be a whole number')
  .min(-MAX_BY, `Must be at least -${formatLimit(MAX_BY)}`)
  .max(MAX_BY, `Must be at most ${formatLimit(MAX_BY)}`);

/** RFC 3339. The engine checks that it is at most a day ago, see access/occurred-at.ts. */
const occurredAtSchema = z.iso
  .datetime({ offset: true, error: 'Must be a date and time of RFC 3339, such as 2026-11-01T09:30:00Z' })
  .max(40, 'Must be at most 40 characters')
  .optional();

/** How late usage may be reported. */
const MAX_AGE_MS = 24 * 3_600_000;

/** By the caller's own measure, so that its clock may be wrong. The usage counts at the server's now minus the age. */
const ageSchema = z
  .int({ error: 'Must be a whole number', abort: true })
  .min(0, 'Must be at least 0')
  .max(MAX_AGE_MS, `Must be at most ${formatLimit(MAX_AGE_MS)}, which is 24 hours`)
  .optional();
const TWO_TIMES = 'Send occurredAt or ageMs, not both';

/** Usage to count inside an access check, only if it fits the limit. */
export const consumeSchema = z
  .strictObject({
    feature: slugSchema,
    property: propertyKeySchema,
    by: amountSchema.min(1, 'Must be at least 1').optional(),
    resourceId: opaqueSchema.optional(),
    idempotencyKey: opaqueSchema.optional(),
    occurredAt: occurredAtSchema,
    ageMs: ageSchema,
  })
  .refine(({ by, resourceId }) => by === undefined || resourceId === undefined, {
    path: ['resourceId'],
    message: 'Send by or resourceId, not both',
  })
  .refine(({ occurredAt, ageMs }) => occurredAt === undefined || ageMs === undefined, {
    path: ['ageMs'],
    message: TWO_TIMES,
  });
export type Consume = z.infer<typeof consumeSchema>;

export const counterUpdateRequestSchema = z
  .strictObject({
    userIdentifier: identifierSchema.optional(),
    userJwt: z.string().min(1, 'Must not be empty').optional(),
    feature: slugSchema,
    property: propertyKeySchema,
    /** Default 1. Negative amounts reduce the usage. */
    by: amountSchema.optional(),
    /** Counts once per period, however often it is sent. A meter of unique resources counts nothing else. */
    resourceId: opaqueSchema.optional(),
    /** Releases the resource. */
    release: z.boolean().optional(),
    /** Makes a retry harmless for 24 hours. Its scope is the environment and the customer, by any of its names. */
    idempotencyKey: opaqueSchema.optional(),
    /** Counts only what fits the limit. */
    enforce: z.boolean().optional(),
    /** When the usage occurred, if not now: it counts in the window of that minute. The limit and the reading are those of now. */
    occurredAt: occurredAtSchema,
    /** The same as an age, which a repetition of the call may say anew. */
    ageMs: ageSchema,
  })
  .superRefine((body, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (body.userIdentifier === undefined && body.userJwt === undefined) {
      refuse('userIdentifier', 'Send userIdentifier or userJwt');
    }
    if (body.userIdentifier !== undefined && body.userJwt !== undefined) {
      refuse('userJwt', 'Send userIdentifier or userJwt, not both');
    }
    if (body.by !== undefined && body.resourceId !== undefined) {
      refuse('resourceId', 'Send by or resourceId, not both');
    }
    if (body.release !== undefined && body.resourceId === undefined) {
      refuse('release', 'Requires a resourceId');
    }
    if (body.occurredAt !== undefined && body.ageMs !== undefined) refuse('ageMs', TWO_TIMES);
  });
export type CounterUpdateRequest = z.infer<typeof counterUpdateRequestSchema>;

/** Of what is on or off, where usage was read: in the window of the meter that its feature turns off, of the metered default, or of all time. */
const usedSchema = z.int().optional();

/** `on` is allowed without limit, `off` never, `metered` while `used` is below `limit`. */
export const meterAnswerSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('on'), allowed: z.literal(true), used: usedSchema }),
  z.object({ state: z.literal('off'), allowed: z.literal(false), used: usedSchema }),
  z.object({
    state: z.literal('metered'),
    allowed: z.boolean(),
    limit: z.int(),
    used: z.int(),
    remaining: z.int(),
    periodType: periodTypeSchema,
    periodCount: z.int().nullable(),
    periodLength: periodLengthSchema.nullable(),
    /** Epoch milliseconds; null if nothing resets. */
    resetsAt: z.int().nullable(),
  }),
]);

export const counterUpdateAnswerSchema = z.object({
  status: z.literal('success'),
  requestId: z.string(),
  /** False: the amount did not fit while `enforce` was set, or the resource was missing; nothing was counted. */
  accepted: z.boolean(),
  /** The idempotency key was known, and this repeats the first answer. */
  replayed: z.boolean(),
  /** What was added to the count; negative if usage was removed. */
  applied: z.int(),
  /** Whether plans and overrides allow the feature: it is on, and its meter is within the limit. */
  ...verdictFields,
  meter: meterAnswerSchema,
  warnings: z.array(warningSchema),
});
export type CounterUpdateAnswer = z.infer<typeof counterUpdateAnswerSchema>;

/** Updates in one call. */
export const MAX_UPDATES = 100;

/** Each update is validated on its own: one that is invalid fails alone. */
export const counterUpdatesRequestSchema = z.strictObject({
  updates: z
    .array(z.unknown())
    .min(1, 'Send at least one update')
    .max(MAX_UPDATES, `Send at most ${MAX_UPDATES} updates`),
});
export type CounterUpdatesRequest = z.infer<typeof counterUpdatesRequestSchema>;

/** What the call for the update alone would have answered. */
export const counterUpdateResultSchema = z.union([counterUpdateAnswerSchema, publicErrorSchema]);
export const counterUpdatesAnswerSchema = z.object({
  status: z.literal('success'),
  requestId: z.string(),
  /** In the order of the updates. */
  results: z.array(counterUpdateResultSchema),
});
export type CounterUpdatesAnswer = z.infer<typeof counterUpdatesAnswerSchema>;

const counting = {
  secretKeyOnly: 'Counting usage requires a secret key',
  recordedAs: 'cu',
} as const;

export const meteringEndpoints = {
  update: keyed.post('/api/v1/counter-updates', {
    ...counting,
    summary: 'Count or reduce usage',
    body: counterUpdateRequestSchema,
    answer: counterUpdateAnswerSchema,
    limits: CALL_LIMITS,
  }),
  updateMany: keyed.post('/api/v1/counter-updates/batch', {
    ...counting,
    summary: 'Make up to 100 counter updates',
    body: counterUpdatesRequestSchema,
    answer: counterUpdatesAnswerSchema,
    limits: { bytes: 256 * 1024, values: 4_000 },
  }),
} as const;
