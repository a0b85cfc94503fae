/**
 * OpenFeature's remote evaluation protocol, OFREP 0.3: the stock OpenFeature providers read entitlements with these two calls. A flag is a
 * feature, which has its verdict, or `feature.property`. https://github.com/open-feature/protocol
 */
import { z } from 'zod';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { IDENTIFIER, TOKEN } from './field-sentences.ts';
import { identifierSchema } from './subjects.ts';

/** Applications fill it for all their flags, so whatever else it has is no error: see `fittingContext` in check-context.ts. */
const evaluationContextSchema = z
  .object({
    targetingKey: identifierSchema
      .optional()
      .describe(
        `${IDENTIFIER} Names the user to secret keys. Without it and userJwt, the subject is anonymous. With a public key the subject is anonymous, and the metadata has a warning.`,
      ),
    userJwt: z
      .string()
      .min(1, 'Must not be empty')
      .optional()
      .describe(`${TOKEN} Identifies the user with any key, and takes precedence over targetingKey.`),
  })
  .catchall(z.unknown().describe('A field of your own.'));

/** Fields that this version does not know are ignored, as the protocol demands. */
export const ofrepRequestSchema = z
  .object({
    context: evaluationContextSchema
      .optional()
      .describe(
        'Whom to evaluate for. Flat fields are given to workflows, as context of an access check: the first that fit 20 and 4 KiB, the others are left out with a warning. Nested fields are ignored.',
      ),
  })
  .catchall(z.unknown().describe('Ignored.'))
  .describe('The evaluation context. Fields that this version does not know are ignored.');
export type OfrepRequest = z.infer<typeof ofrepRequestSchema>;

/** Null where there is none: what is on has no limit, and usage that decides nothing is not read. */
export const ofrepMeterSchema = z
  .object({
    allowed: z.boolean().describe('Whether more usage is allowed now.'),
    used: z.int().nullable().describe('Usage in the current period; null if it was not read.'),
    limit: z.int().nullable().describe('The limit per period; null if it is on or off.'),
    remaining: z.int().nullable().describe('What is left of the limit; null if it is on or off.'),
  })
  .describe('A meter: whether more usage is allowed, and what is left.');

const metadataSchema = z.record(
  z.string(),
  z.union([z.boolean(), z.string(), z.number()]).describe('Text, a number, true or false.'),
);
export type OfrepMetadata = z.infer<typeof metadataSchema>;

const flagFields = {
  key: z.string().describe('A feature’s slug, or feature.property.'),
  value: z
    .union([z.boolean(), z.number(), z.string(), ofrepMeterSchema])
    .describe('The value. For a feature: whether it is allowed.'),
  reason: z
    .enum(['TARGETING_MATCH', 'DEFAULT'])
    .describe('DEFAULT: the property’s default applies. TARGETING_MATCH: anything else.'),
  /** Python's provider requires it. */
  variant: z
    .string()
    .describe(
      '`on` or `off` of a boolean. Otherwise the slug of a plan that decides the value, `override`, or `default`.',
    ),
  /** Java's provider requires it. */
  metadata: metadataSchema.describe('Codes and texts of warnings. Empty without any.'),
};
export const ofrepFlagSchema = z.object(flagFields).describe('One flag.');
export type OfrepFlag = z.infer<typeof ofrepFlagSchema>;

export const ofrepEvaluationSchema = z
  .object({
    ...flagFields,
    metadata: metadataSchema.describe(
      'isAuthenticated, plans, validUntil and, if there are any, the codes and texts of warnings.',
    ),
  })
  .describe('One flag, with what is known about the evaluation.');
export const ofrepEvaluationsSchema = z
  .object({
    flags: z
      .array(ofrepFlagSchema)
      .describe('In the order of features: feature is whether it is allowed, feature.property a value.'),
    metadata: metadataSchema.describe(
      'What applies to all flags: isAuthenticated, plans, validUntil and, if there are any, the codes and texts of warnings.',
    ),
  })
  .describe('Every flag of the subject.');

export const ofrepErrorSchema = z
  .object({
    key: z.string().optional().describe('The flag’s key, if the request names one.'),
    errorCode: z
      .enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL'])
      .describe(
        'PARSE_ERROR: the body is not JSON. TARGETING_KEY_MISSING: targetingKey is empty. INVALID_CONTEXT: the context is invalid. FLAG_NOT_FOUND: there is no such feature or property. GENERAL: anything else.',
      ),
    errorDetails: z.string().describe('What went wrong, for people.'),
    /** Java's provider requires it. */
    metadata: metadataSchema.describe('code: why the request failed, one of RefusalCode.'),
  })
  .describe('Why a request failed, as OpenFeature names it.');
export type OfrepError = z.infer<typeof ofrepErrorSchema>;

const evaluating = {
  body: ofrepRequestSchema,
  limits: CALL_LIMITS,
  recordedAs: 'ac',
  protocol: 'ofrep',
} as const;

export const ofrepEndpoints = {
  evaluateAll: keyed.post('/ofrep/v1/evaluate/flags', {
    ...evaluating,
    summary: 'Evaluate all flags (OpenFeature)',
    answer: ofrepEvaluationsSchema,
  }),
  evaluate: keyed.post('/ofrep/v1/evaluate/flags/:key', {
    ...evaluating,
    summary: 'Evaluate one flag (OpenFeature)',
    answer: ofrepEvaluationSchema,
  }),
} as const;
