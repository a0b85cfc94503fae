/**
 * Webhooks: what happened, sent to the addresses of an organisation as signed requests (Standard Webhooks 1.0). An event is sent at
 * least once and in any order; `data` has the state afterwards.
 */
import { z } from 'zod';

/** What is sent. More types may follow: a receiver ignores those that it does not know. */
export const webhookTypeSchema = z.enum(['environment.deployed', 'webhook.test']);
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

export const testEventSchema = eventOf(
  'webhook.test',
  z.object({ message: z.string().describe('For people: that this is a test.') }),
).describe('A test that a member sent.');

export const webhookEventSchema = z.discriminatedUnion('type', [deployedEventSchema, testEventSchema]);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;
