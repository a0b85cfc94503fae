/** Console API of webhooks: the addresses that an organisation is told at, and the log of what was sent. */
import { z } from 'zod';
import { customerReader, member } from '../public/endpoint.ts';
import { idSchema, instantSchema, optionalTextSchema } from '../public/text.ts';
import { chosenWebhookTypeSchema, webhookTypeSchema } from '../public/webhooks.ts';

/** In an organisation. */
export const MAX_WEBHOOKS = 20;
export const MAX_WEBHOOK_URL = 1_000;
/** How long the log keeps a delivery. */
export const DELIVERIES_KEPT_DAYS = 30;
export const DELIVERIES_PER_PAGE = 50;
/** At once, the oldest first. */
export const MAX_RESENT = 1_000;
/** How long the former secret signs as well. */
export const FORMER_SECRET_HOURS = 24;

/** The Worker validates which addresses may be called. */
const urlSchema = z
  .string()
  .trim()
  .min(1, 'Must not be empty')
  .max(MAX_WEBHOOK_URL, `Must be at most ${MAX_WEBHOOK_URL} characters`);

/** Null: all of them, also those that are created later. */
const environmentIdsSchema = z.array(idSchema).min(1, 'Choose at least one environment').max(100).nullable();
/** Null: all of them, also those that are added later. */
const typesSchema = z.array(chosenWebhookTypeSchema).min(1, 'Choose at least one event').nullable();

/** `member`: somebody disabled it. `gone`: the address answered 410. `failing`: for five days nothing was delivered. */
export const disabledBecauseSchema = z.enum(['member', 'gone', 'failing']);
export type DisabledBecause = z.infer<typeof disabledBecauseSchema>;

export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  environmentIds: z.array(z.string()).nullable(),
  types: z.array(chosenWebhookTypeSchema).nullable(),
  isEnabled: z.boolean(),
  /** Null while it is enabled. */
  disabledBecause: disabledBecauseSchema.nullable(),
  /** The first of the attempts that have failed since the last delivery; null: the last one succeeded. */
  failingSince: instantSchema.nullable(),
  /** Until when the former secret signs as well; null: there is one secret. */
  formerSecretUntil: instantSchema.nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type Webhook = z.infer<typeof webhookSchema>;

export const createWebhookSchema = z.strictObject({
  url: urlSchema,
  description: optionalTextSchema(500).optional(),
  environmentIds: environmentIdsSchema.default(null),
  types: typesSchema.default(null),
});

export const updateWebhookSchema = z
  .strictObject({
    url: urlSchema,
    description: optionalTextSchema(500),
    environmentIds: environmentIdsSchema,
    types: typesSchema,
    isEnabled: z.boolean(),
    updatedAt: instantSchema,
  })
  .partial();

/** `waiting`: for its first or next attempt. `failed`: after the last one, or because the endpoint was disabled. */
export const deliveryStateSchema = z.enum(['waiting', 'delivered', 'failed']);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

export const deliverySchema = z.object({
  eventId: z.string(),
  type: webhookTypeSchema,
  /** Null: of no environment. */
  environmentId: z.string().nullable(),
  state: deliveryStateSchema,
  createdAt: instantSchema,
  attempts: z.int(),
  /** The next attempt; null: there is none. */
  nextAt: instantSchema.nullable(),
  /** The last attempt; null: there was none. */
  lastAt: instantSchema.nullable(),
  /** Its HTTP status; null: there was no answer. */
  status: z.int().nullable(),
  /** How long it took, in milliseconds. */
  tookMs: z.int().nullable(),
  /** The first kilobyte of the answer. */
  answer: z.string().nullable(),
  /** For people: why it was no success. */
  problem: z.string().nullable(),
  /** What was sent, as JSON. */
  body: z.string(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const deliveryPageSchema = z.object({
  deliveries: z.array(deliverySchema),
  /** Value of `before` for the next page; null: this is the last one. */
  next: z.string().nullable(),
});
export type DeliveryPage = z.infer<typeof deliveryPageSchema>;

const secretSchema = z.object({ secret: z.string() });
const webhooks = '/api/orgs/:orgId/webhooks';
const webhook = `${webhooks}/:webhookId` as const;

export const webhookEndpoints = {
  list: member.get(webhooks, {
    summary: 'List webhooks',
    reads: 'webhooks',
    answer: z.array(webhookSchema),
  }),
  create: member.post(webhooks, {
    summary: 'Add a webhook',
    changes: ['webhooks'],
    body: createWebhookSchema,
    answer: webhookSchema.extend(secretSchema.shape),
    status: 201,
  }),
  get: member.get(webhook, { summary: 'Read a webhook', reads: 'webhooks', answer: webhookSchema }),
  update: member.put(webhook, {
    summary: 'Change, enable or disable a webhook',
    changes: ['webhooks'],
    body: updateWebhookSchema,
    answer: webhookSchema,
  }),
  remove: member.remove(webhook, { summary: 'Delete a webhook with its log', changes: ['webhooks'] }),
  reveal: member.get(`${webhook}/secret`, {
    summary: 'Read the secret of a webhook (audited)',
    reads: 'webhooks',
    answer: secretSchema,
  }),
  rotate: member.post(`${webhook}/rotate`, {
    summary: `Replace the secret of a webhook; the former one signs as well for ${FORMER_SECRET_HOURS} hours`,
    changes: ['webhooks'],
    answer: webhookSchema.extend(secretSchema.shape),
  }),
  test: member.post(`${webhook}/test`, {
    summary: 'Send a test event and wait for the answer',
    changes: ['webhook-deliveries', 'webhooks'],
    answer: deliverySchema,
  }),
  deliveries: customerReader.get(`${webhook}/deliveries`, {
    summary: 'List what was sent in the last 30 days, newest first',
    reads: 'webhook-deliveries',
    query: z.object({ before: z.string().max(100).optional(), state: deliveryStateSchema.optional() }),
    answer: deliveryPageSchema,
  }),
  resend: member.post(`${webhook}/deliveries/:eventId/resend`, {
    summary: 'Send an event again',
    changes: ['webhook-deliveries', 'webhooks'],
    answer: deliverySchema,
  }),
  resendFailed: member.post(`${webhook}/resend-failed`, {
    summary: `Send all failed events again, at most ${MAX_RESENT} at once`,
    changes: ['webhook-deliveries', 'webhooks'],
    answer: z.object({ resent: z.int() }),
  }),
} as const;
