/** Whether a feature is allowed, in answers, events and the console. The engine decides it: engine/entitlements/verdict.ts. */
import { z } from 'zod';
import { REASON } from './field-sentences.ts';

/**
 * `not-in-plan`: the feature's `enabled` is off, or the call's entity has no seat. `limit-reached`: the meter that the call counts on refuses the amount or is exceeded; or
 * the call counts nothing on the feature, which has meters, and all of them are used up.
 */
export const denialReasonSchema = z.enum(['not-in-plan', 'limit-reached']);
export type DenialReason = z.infer<typeof denialReasonSchema>;

/** Part of each feature's answer. */
export const verdictFields = {
  allowed: z
    .boolean()
    .describe(
      'Whether the subject may use the feature: it is enabled and, if it has meters, not all are used up. With consume on this feature, accepted decides instead of what is left. Other properties that are off decide nothing.',
    ),
  reason: denialReasonSchema.optional().describe(REASON),
  limitOf: z
    .enum(['customer', 'entity'])
    .optional()
    .describe(
      'With an entityId, where a plan limits each entity. With reason limit-reached: whose limit is reached, that of the customer or that of the entity. With not-in-plan: the entity has no seat.',
    ),
};

export type FeatureVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly reason: DenialReason;
      readonly limitOf?: 'customer' | 'entity' | undefined;
    };

/** A feature that is not allowed. */
export const denialSchema = z.object({ feature: z.string(), reason: denialReasonSchema });
export type Denial = z.infer<typeof denialSchema>;
