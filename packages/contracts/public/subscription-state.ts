/** A Stripe subscription as last read, in answers of the public API. */
import { z } from 'zod';
import { instantSchema } from './text.ts';

export const subscriptionStateSchema = z.object({
  id: z.string(),
  /** Stripe's, unchanged. */
  status: z.string(),
  /** Whether its items grant plans in this environment. */
  isGranting: z.boolean(),
  /** When that ends although the status stays; null: never. */
  accessEndsAt: instantSchema.nullable(),
  /** What the policy of its Stripe integration says of its state; null: nothing. */
  reason: z.string().nullable(),
  trialEndAt: instantSchema.nullable(),
  cancelAt: instantSchema.nullable(),
  currentPeriodEndAt: instantSchema.nullable(),
  /** Set while Stripe collects no payments. */
  isPaused: z.boolean(),
  items: z.array(
    z.object({
      product: z.string(),
      /** Null: not read yet. */
      price: z.string().nullable(),
      /** Null: of a metered price, or not read yet. */
      quantity: z.int().nullable(),
      currentPeriodEndAt: instantSchema.nullable(),
    }),
  ),
});
export type SubscriptionState = z.infer<typeof subscriptionStateSchema>;
