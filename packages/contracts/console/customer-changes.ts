/** What changed for one customer: manual changes from the audit log, and subscriptions as read from Stripe. */
import { z } from 'zod';
import { instantSchema } from '../public/text.ts';
import { actingKeySchema } from './api-keys.ts';
import { storedSubscriptionSchema } from './stripe.ts';

/** A grant, an override, a correction or a link of an email. */
export const manualChangeSchema = z.object({
  kind: z.literal('manual'),
  id: z.string(),
  at: instantSchema,
  /** As in the audit log: `customer.plan-granted`; or `customer.balance-ended`, by the clock. */
  action: z.string(),
  /** The identifier that was changed: the customer's, or its email. */
  identifier: z.string(),
  /** Null: an API key, or the service itself. */
  actorUserId: z.string().nullable(),
  actorKey: actingKeySchema.nullable(),
  detail: z.record(z.string(), z.unknown()),
});

export const subscriptionChangeSchema = z.object({
  kind: z.literal('subscription'),
  id: z.string(),
  /** When Stripe was read. */
  at: instantSchema,
  integrationId: z.string(),
  customerId: z.string(),
  subscriptionId: z.string(),
  /** Null: the subscription is new. */
  before: storedSubscriptionSchema.nullable(),
  /** Null: it has ended. */
  after: storedSubscriptionSchema.nullable(),
  /** Names of the products of both states, as far as they were read. */
  productNames: z.record(z.string(), z.string()),
});

export const customerChangeSchema = z.discriminatedUnion('kind', [
  manualChangeSchema,
  subscriptionChangeSchema,
]);
export type CustomerChange = z.infer<typeof customerChangeSchema>;
