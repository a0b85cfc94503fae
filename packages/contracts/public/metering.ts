/** Counter updates and meter readings. See worker/domains/metering/README.md, "Metering". */
import { z } from 'zod';
import { balanceLineSchema, drawSchema } from './balance-lines.ts';
import { costFields, costSchema } from './costs.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { answered, publicErrorSchema } from './errors.ts';
import {
  AGE,
  ANSWERED_PERIOD_TYPE,
  APPLIED,
  DRAWS,
  ENTITY,
  GIVES_BACK,
  IDEMPOTENCY,
  IDENTIFIER,
  METERED_PROPERTY,
  OCCURRED,
  RESOURCE,
  TOKEN,
  WARNINGS_FIELD,
} from './field-sentences.ts';
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

export const meterFields = {
  feature: slugSchema.describe('The feature’s slug.'),
  property: propertyKeySchema.describe(METERED_PROPERTY),
};
const resourceId = opaqueSchema.optional().describe(RESOURCE);
const idempotencyKey = opaqueSchema.optional().describe(IDEMPOTENCY);
const times = {
  occurredAt: occurredAtSchema.describe(OCCURRED),
  ageMs: ageSchema.describe(AGE),
};

export const consumeSchema = z
  .strictObject({
    ...meterFields,
    by: amountSchema.min(1, 'Must be at least 1').optional().describe('Amount to consume. Defaults to 1.'),
    resourceId,
    idempotencyKey,
    ...times,
  })
  .refine(({ by, resourceId }) => by === undefined || resourceId === undefined, {
    path: ['resourceId'],
    message: 'Send by or resourceId, not both',
  })
  .refine(({ occurredAt, ageMs }) => occurredAt === undefined || ageMs === undefined, {
    path: ['ageMs'],
    message: TWO_TIMES,
  })
  .describe(
    'Usage to consume in the same call. Like a counter update with enforce: all or nothing, within the limit.',
  );
export type Consume = z.infer<typeof consumeSchema>;

/** Whom a call counts for: one of both. */
export const countedSubject = {
  userIdentifier: identifierSchema.optional().describe(IDENTIFIER),
  userJwt: z
    .string()
    .min(1, 'Must not be empty')
    .optional()
    .describe(
      `${TOKEN} A token that cannot be verified is an error here: there is no customer to count for.`,
    ),
  entityId: opaqueSchema
    .optional()
    .describe(`${ENTITY} Required where a plan limits nothing but each entity.`),
};

type Refuse = (path: string, message: string) => void;

export function refuseUnlessOneSubject(
  {
    userIdentifier,
    userJwt,
  }: { readonly userIdentifier?: string | undefined; readonly userJwt?: string | undefined },
  refuse: Refuse,
): void {
  if (userIdentifier === undefined && userJwt === undefined)
    refuse('userIdentifier', 'Send userIdentifier or userJwt');
  if (userIdentifier !== undefined && userJwt !== undefined)
    refuse('userJwt', 'Send userIdentifier or userJwt, not both');
}

export const counterUpdateRequestSchema = z
  .strictObject({
    ...countedSubject,
    ...meterFields,
    by: amountSchema
      .optional()
      .describe('Amount to add. Defaults to 1. Use a negative amount to reduce usage.'),
    resourceId,
    release: z.boolean().optional().describe('Releases the resource.'),
    idempotencyKey,
    givesBack: opaqueSchema.optional().describe(GIVES_BACK),
    enforce: z
      .boolean()
      .optional()
      .describe(
        'Counts the amount only if it fits the limit and the overage that the plan allows. By default usage is counted beyond both.',
      ),
    ...times,
  })
  .superRefine((body, context) => {
    const refuse: Refuse = (path, message) => context.addIssue({ code: 'custom', path: [path], message });
    refuseUnlessOneSubject(body, refuse);
    if (body.by !== undefined && body.resourceId !== undefined) {
      refuse('resourceId', 'Send by or resourceId, not both');
    }
    if (body.release !== undefined && body.resourceId === undefined) {
      refuse('release', 'Requires a resourceId');
    }
    if (body.occurredAt !== undefined && body.ageMs !== undefined) refuse('ageMs', TWO_TIMES);
    if (body.givesBack === undefined) return;
    if (body.by !== undefined && body.by >= 0) refuse('by', 'Must be negative with givesBack');
    for (const other of ['resourceId', 'occurredAt', 'ageMs'] as const)
      if (body[other] !== undefined) refuse(other, `Send givesBack or ${other}, not both`);
  })
  .describe('Usage to add to or subtract from a customer’s count.');
export type CounterUpdateRequest = z.infer<typeof counterUpdateRequestSchema>;

const METER_STATE = 'on, off or metered. A limit is only present when metered.';
const METER_ALLOWED = 'Whether more usage is allowed now, and what one costs can be paid.';
const METER_COSTS =
  'Where each one costs an amount of another meter, unless the plan turns this one off. Absent in counter updates and calls about holds, which have it beside the meter.';
const METER_HELD =
  'What open holds have taken in the current period. It is no part of used, and counts against the limit. Absent without any.';
const METER_USED =
  'Usage in the current period. Can exceed the limit if updates were not enforced. When on or off: usage in the period of the meter that a disabled feature turns off, of the property’s metered default, or of all time; absent from checks that read no usage.';

export const hasSeatSchema = z
  .literal(false)
  .optional()
  .describe(
    'False: a plan asks for a seat and the entity has none, so it may use nothing. Absent otherwise.',
  );

const entityAnswerSchema = z
  .object({
    id: z.string().nullable().describe('The entityId of the call; null without one.'),
    limit: z.int().describe('The limit of each entity per period.'),
    used: z.int().optional().describe('What the entity has used in its period. Absent without an entityId.'),
    held: z.int().optional().describe('What open holds of the entity have taken. Absent without any.'),
    remaining: z.int().optional().describe('What is left of the entity’s limit. Absent without an entityId.'),
    allowed: z
      .boolean()
      .optional()
      .describe('Whether its own limit allows the entity more. Absent without an entityId.'),
    hasSeat: hasSeatSchema,
    resetsAt: z
      .int()
      .nullable()
      .optional()
      .describe(
        'When its usage next resets or expires, in epoch milliseconds; null if never. Absent without an entityId.',
      ),
  })
  .optional()
  .describe(
    'Where a plan limits each entity: that limit, and the usage of the call’s entity. Where nothing else is limited and the call has an entityId, the whole meter is the entity’s.',
  );

const switched = <State extends 'on' | 'off', Allowed extends boolean>(state: State, allowed: Allowed) => ({
  state: z.literal(state).describe(METER_STATE),
  allowed: z.literal(allowed).describe(METER_ALLOWED),
  used: z.int().optional().describe(METER_USED),
  held: z.int().optional().describe(METER_HELD),
  costs: costSchema.optional().describe(METER_COSTS),
});

export const meterAnswerSchema = z
  .discriminatedUnion('state', [
    z.object({ ...switched('on', true), entity: entityAnswerSchema }),
    z.object(switched('off', false)),
    z.object({
      state: z.literal('metered').describe(METER_STATE),
      allowed: z.boolean().describe(METER_ALLOWED),
      limit: z
        .int()
        .describe(
          'The limit per period. With balances: and what they are of, as long as they can be drawn from.',
        ),
      used: z.int().describe(METER_USED),
      held: z.int().optional().describe(METER_HELD),
      remaining: z.int().describe('What is left of the limit beside what is used and held. Never below 0.'),
      overage: z
        .int()
        .optional()
        .describe(
          'Of a customer with balances, or where overage is allowed: usage above the quota of the plans that no balance paid for. remaining = limit − used − held + overage. Absent without any.',
        ),
      overageLimit: z
        .int()
        .nullable()
        .optional()
        .describe(
          'How much overage checks, enforced updates and holds allow; null: any amount. Absent: none.',
        ),
      periodType: periodTypeSchema.describe(ANSWERED_PERIOD_TYPE),
      periodCount: z.int().nullable().describe('Number of hours, days or months; null for lifetime.'),
      periodLength: periodLengthSchema.nullable().describe('Null for lifetime.'),
      resetsAt: z
        .int()
        .nullable()
        .describe('When usage next resets or expires, in epoch milliseconds; null if never.'),
      limitOf: z
        .enum(['customer', 'entity'])
        .optional()
        .describe(
          'With an entityId, where a plan limits each entity and allowed is false: whose limit is reached. Also of an entity without a seat.',
        ),
      entity: entityAnswerSchema,
      balances: z
        .array(balanceLineSchema)
        .optional()
        .describe(
          'With include: balances. What usage is taken from, in that order. Absent if the customer has no balances of the meter.',
        ),
      costs: costSchema.optional().describe(METER_COSTS),
    }),
  ])
  .describe(
    'Whether more usage is allowed. on: always. off: never. metered: while used is below limit, or overage below overageLimit. Where one costs something: only while that can be paid; what is on is off until then.',
  );

export const COSTS =
  'What the call counted on the meter that pays for it: both are counted, or neither. Absent where one costs nothing.';
export const countedCostSchema = z
  .object({
    ...costFields,
    accepted: z.boolean().describe('Whether this meter alone would have accepted the call.'),
    applied: z
      .int()
      .describe(
        'What was added to this meter: rounded up, and down if negative. In calls about a hold: what the hold counts on it.',
      ),
    draws: z.array(drawSchema).optional().describe(DRAWS),
    lost: z.int().optional().describe('As lost of the call, of this meter.'),
    meter: meterAnswerSchema.describe('The meter that pays, after the call.'),
  })
  .describe('What was counted on the meter that pays.');

export const counterUpdateAnswerSchema = z
  .object({
    ...answered,
    accepted: z
      .boolean()
      .describe(
        'False if enforce was set and the amount did not fit or the property is off, or if a meter of unique resources got no resourceId. Nothing was counted.',
      ),
    replayed: z
      .boolean()
      .describe(
        'True if the idempotency key was used before. This repeats the first response, and nothing more was counted.',
      ),
    applied: z.int().describe(APPLIED),
    draws: z.array(drawSchema).optional().describe(DRAWS),
    lost: z
      .int()
      .optional()
      .describe(
        'Of a negative amount: what stays counted, because balances that have ended or are frozen paid for it. Absent if nothing does.',
      ),
    ...verdictFields,
    allowed: z
      .boolean()
      .describe(
        'Whether plans and overrides allow this usage: the feature is enabled, and the amount was accepted within the limit and allowed overage. False for usage that was counted beyond.',
      ),
    meter: meterAnswerSchema.describe('The meter after the update.'),
    costs: countedCostSchema.optional().describe(COSTS),
    warnings: z.array(warningSchema).describe(WARNINGS_FIELD),
  })
  .describe('Whether the update was counted, and the meter after it.');
export type CounterUpdateAnswer = z.infer<typeof counterUpdateAnswerSchema>;

/** Updates in one call. */
export const MAX_UPDATES = 100;

/** Each update is validated on its own: one that is invalid fails alone. */
export const counterUpdatesRequestSchema = z
  .strictObject({
    updates: z
      .array(z.unknown())
      .min(1, 'Send at least one update')
      .max(MAX_UPDATES, `Send at most ${MAX_UPDATES} updates`)
      .describe(
        'Each is validated, limited, billed and recorded as a call of its own. Those of one identifier are made in order.',
      ),
  })
  .describe('Up to 100 counter updates.');
export type CounterUpdatesRequest = z.infer<typeof counterUpdatesRequestSchema>;

/** What the call for the update alone would have answered. */
export const counterUpdateResultSchema = z
  .union([counterUpdateAnswerSchema, publicErrorSchema])
  .describe('What the call for the update alone would have returned.');
export const counterUpdatesAnswerSchema = z
  .object({
    status: z.literal('success').describe('Always success: what failed has its error in results.'),
    requestId: answered.requestId,
    results: z
      .array(counterUpdateResultSchema)
      .describe(
        'In the order of the updates. Each has a requestId of its own; status tells success from error.',
      ),
  })
  .describe('The result of each update.');
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
