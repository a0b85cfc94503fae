/**
 * OpenFeature's remote evaluation protocol, OFREP 0.3: the stock OpenFeature providers read entitlements with these two calls. A flag is a
 * feature, which has its verdict, or `feature.property`. https://github.com/open-feature/protocol
 */
import { z } from 'zod';
import {
  type CheckContext,
  contextBytes,
  contextSchema,
  MAX_CONTEXT_BYTES,
  MAX_CONTEXT_ENTRIES,
} from './access.ts';
import { CALL_LIMITS, keyed } from './endpoint.ts';
import { identifierSchema } from './subjects.ts';

/** Applications fill it for all their flags, so whatever else it has is no error: see `fittingContext`. */
const evaluationContextSchema = z.looseObject({
  /** Names the user to secret keys. */
  targetingKey: identifierSchema.optional(),
  /** Identifies the user, with any key. Takes precedence. */
  userJwt: z.string().min(1, 'Must not be empty').optional(),
});

/** Fields that this version does not know are ignored, as the protocol demands. */
export const ofrepRequestSchema = z.looseObject({ context: evaluationContextSchema.optional() });
export type OfrepRequest = z.infer<typeof ofrepRequestSchema>;

/**
 * What workflows receive of a context: its flat fields, in their order, as far as they fit the context of an access check.
 * @returns `leftOut`: the names of flat fields that do not fit
 */
export function fittingContext({
  targetingKey: _,
  userJwt: __,
  ...others
}: Readonly<Record<string, unknown>>): {
  readonly context: CheckContext;
  readonly leftOut: readonly string[];
} {
  const fitting: [string, string | number | boolean][] = [];
  const leftOut: string[] = [];
  let bytes = JSON.stringify({}).length;
  for (const [name, value] of Object.entries(others)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const entry = { [name]: value };
    const { data } = contextSchema.safeParse(entry);
    // Without the braces of its own, and with a comma.
    const more = contextBytes(entry) - 1;
    if (data === undefined || fitting.length === MAX_CONTEXT_ENTRIES || bytes + more > MAX_CONTEXT_BYTES) {
      leftOut.push(name);
    } else {
      fitting.push([name, value as string]);
      bytes += more;
    }
  }
  return { context: Object.fromEntries(fitting), leftOut };
}

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
  /** Empty. Java's provider requires it. */
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
