/**
 * Webhooks: what happened, sent to the addresses of an organisation as signed requests (Standard Webhooks 1.0). An event is sent at
 * least once and in any order; `data` has the state afterwards.
 */
import { z } from 'zod';
import { periodLengthSchema, periodTypeSchema } from './values.ts';

/** What is sent. More types may follow: a receiver ignores those that it does not know. */
export const webhookTypeSchema = z.enum([
  'customer.entitlements_changed',
  'environment.deployed',
  'webhook.test',
]);
export type WebhookType = z.infer<typeof webhookTypeSchema>;

/** What an endpoint can choose. A test is sent on request, whatever was chosen. */
export const chosenWebhookTypeSchema = webhookTypeSchema.exclude(['webhook.test']);
export type ChosenWebhookType = z.infer<typeof chosenWebhookTypeSchema>;

const environmentSchema = z.object({
  id: z.string().describe('Id of the environment.'),
  name: z.string().describe('Its name when it happened.'),
  type: z.enum(['live', 'test']).describe('Whether it serves real customers.'),
});

const eventOf = <const Type extends WebhookType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    id: z.string().describe('Id of the event, the same in each attempt. It is the header `webhook-id`, too.'),
    type: z.literal(type).describe('What happened.'),
    timestamp: z.string().describe('When it happened, in ISO 8601.'),
    data: data.describe('The state afterwards.'),
  });

export const deployedEventSchema = eventOf(
  'environment.deployed',
  z.object({
    environment: environmentSchema.describe('Where it was deployed.'),
    version: z.int().positive().describe('Number of the version that is in force now.'),
    previousVersion: z
      .int()
      .positive()
      .nullable()
      .describe('Number of the one before; null: there was none.'),
    note: z.string().nullable().describe('What its author noted about it, if anything.'),
    isRollback: z.boolean().describe('Whether an older version was deployed.'),
  }),
).describe('Another version decides in an environment.');

/** A meter is `on`, `off`, or a limit per `periodCount` × `periodLength`, by the customer’s billing period, or for ever. */
const toldValueSchema = z.union([
  z.boolean(),
  z.number(),
  z.string(),
  z.object({
    limit: z.int().describe('How much may be used.'),
    periodType: periodTypeSchema.describe('What the limit’s period follows.'),
    periodCount: z.int().optional().describe('How many lengths a period has.'),
    periodLength: periodLengthSchema.optional().describe('Their length.'),
  }),
]);
export type ToldValue = z.infer<typeof toldValueSchema>;

export const entitlementsCauseSchema = z.enum([
  'subscription',
  'grant',
  'override',
  'balance',
  'expiry',
  'other',
]);
export type EntitlementsCause = z.infer<typeof entitlementsCauseSchema>;

export const entitlementsChangedEventSchema = eventOf(
  'customer.entitlements_changed',
  z.object({
    environment: environmentSchema.describe('Where it applies.'),
    sequence: z
      .int()
      .describe(
        'Rises with each change of the customer. What arrives with a lower one than you have seen is outdated.',
      ),
    customer: z
      .object({
        id: z.string().describe('Id of the customer.'),
        userIds: z.array(z.string()).describe('Your own ids of the customer, from metadata.'),
      })
      .describe('Whose entitlements changed.'),
    cause: entitlementsCauseSchema.describe(
      'What changed them. `expiry`: something ended by itself. `other`: such as a name that is another customer’s now.',
    ),
    plans: z.array(z.string()).describe('Slugs of the plans that apply now.'),
    gained: z
      .array(z.string())
      .describe('Features (`exports`) and properties (`exports.formats`) that are on now and were not.'),
    lost: z.array(z.string()).describe('Those that were on and are not.'),
    values: z
      .record(
        z.string().describe('A feature and a property, such as `exports.formats`.'),
        z
          .object({
            from: toldValueSchema.describe('The value before.'),
            to: toldValueSchema.describe('The value now.'),
          })
          .describe('The property’s value before and now.'),
      )
      .describe('Every property whose value changed.'),
  }),
).describe('What a customer may do changed.');

export const testEventSchema = eventOf(
  'webhook.test',
  z.object({ message: z.string().describe('For people: that this is a test.') }),
).describe('A test that a member sent.');

export const webhookEventSchema = z.discriminatedUnion('type', [
  entitlementsChangedEventSchema,
  deployedEventSchema,
  testEventSchema,
]);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;
