/**
 * OpenFeature's remote evaluation protocol, OFREP 0.3: the stock OpenFeature providers read entitlements with these two calls. A flag is a
 * feature, which has its verdict, or `feature.property`. https://github.com/open-feature/protocol
 */
import { z } from 'zod';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { identifierSchema } from './subjects.ts';

/** Applications fill it for all their flags, so whatever else it has is no error: see `fittingContext` in check-context.ts. */
const evaluationContextSchema = z.looseObject({
  /** Names the user to secret keys. */
  targetingKey: identifierSchema.optional(),
  /** Identifies the user, with any key. Takes precedence. */
  userJwt: z.string().min(1, 'Must not be empty').optional(),
});

/** Fields that this version does not know are ignored, as the protocol demands. */
export const ofrepRequestSchema = z.looseObject({ context: evaluationContextSchema.optional() });
export type OfrepRequest = z.infer<typeof ofrepRequestSchema>;

/** Null where there is none: what is on has no limit, and usage that decides nothing is not read. */
export const ofrepMeterSchema = z.object({
  allowed: z.boolean(),
  used: z.int().nullable(),
  limit: z.int().nullable(),
  remaining: z.int().nullable(),
});

const metadataSchema = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));
export type OfrepMetadata = z.infer<typeof metadataSchema>;

const flagFields = {
  key: z.string(),
  value: z.union([z.boolean(), z.number(), z.string(), ofrepMeterSchema]),
  /** DEFAULT: the property's default applies. */
  reason: z.enum(['TARGETING_MATCH', 'DEFAULT']),
  /** Booleans: `on` or `off`. Others: the slug of a plan that decides the value, `override`, or `default`. Python's provider requires it. */
  variant: z.string(),
  /** In the answer for all flags, warnings only. Java's provider requires it. */
  metadata: metadataSchema,
};
export const ofrepFlagSchema = z.object(flagFields);
export type OfrepFlag = z.infer<typeof ofrepFlagSchema>;

export const ofrepEvaluationSchema = z.object(flagFields);
export const ofrepEvaluationsSchema = z.object({ flags: z.array(ofrepFlagSchema), metadata: metadataSchema });

export const ofrepErrorSchema = z.object({
  /** Of the call for one flag. */
  key: z.string().optional(),
  errorCode: z.enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL']),
  errorDetails: z.string(),
  /** The refusal's `code`. Java's provider requires it. */
  metadata: metadataSchema,
});
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
