/** The part of the OpenAPI document about webhooks: what receivers are sent, and how they answer. */
import type { DocumentedParameter, DocumentedWebhook, OpenApiDocument } from '#contracts/public/openapi';
import { WEBHOOK_HEADERS } from '#contracts/public/webhook-signature';
import type { WebhookEvent, WebhookType } from '#contracts/public/webhooks';
import { refTo } from './generate-schemas.ts';

interface Texts<Data> {
  readonly schema: string;
  readonly summary: string;
  readonly description: string;
  /** Of the example. */
  readonly data: Data;
}

type DataOf<Type extends WebhookType> = Extract<WebhookEvent, { type: Type }>['data'];

const TEXTS: { readonly [Type in WebhookType]: Texts<DataOf<Type>> } = {
  'customer.entitlements_changed': {
    schema: 'EntitlementsChangedEvent',
    summary: 'What a customer may do changed',
    description:
      'By a subscription, a grant, an override or a balance, or because one of them ended. A deployment is told once, as `environment.deployed`. A new customer is compared with one that has no plan of its own.',
    data: {
      environment: { id: 'env_01m0k6vb3c7a', name: 'Production', type: 'live' },
      sequence: 1_795_878_000_000,
      customer: { id: 'cus_R8s5YxV2', userIds: ['ada-17'] },
      cause: 'subscription',
      plans: ['team'],
      gained: ['dashboards.public-sharing'],
      lost: [],
      values: {
        'dashboards.public-sharing': { from: false, to: true },
        'dashboards.max-dashboards': { from: 3, to: 25 },
        'data-exports.exports': {
          from: { limit: 5, periodType: 'rolling', periodCount: 1, periodLength: 'month' },
          to: { limit: 100, periodType: 'rolling', periodCount: 1, periodLength: 'month' },
        },
      },
    },
  },
  'environment.deployed': {
    schema: 'DeployedEvent',
    summary: 'A version was deployed',
    description:
      'Another version of features, plans and workflows decides in an environment, newer or older than before.',
    data: {
      environment: { id: 'env_01m0k6vb3c7a', name: 'Production', type: 'live' },
      version: 12,
      previousVersion: 11,
      note: 'Raises the limit of exports',
      isRollback: false,
    },
  },
  'webhook.test': {
    schema: 'TestEvent',
    summary: 'A test that a member sent',
    description:
      'Sent from the webhook’s page in the console, whatever events were chosen, and not repeated.',
    data: { message: 'A test that somebody sent from Tessera’s console.' },
  },
};

const EXAMPLE_ID = 'evt_01m0k6vb3c7a9d2f4h6j8k0m2n';

export function describeWebhooks(): OpenApiDocument['webhooks'] {
  const types = Object.keys(TEXTS) as WebhookType[];
  return Object.fromEntries(types.map((type) => [type, { post: describeWebhook(type, TEXTS[type]) }]));
}

function describeWebhook(
  type: WebhookType,
  { schema, summary, description, data }: Texts<unknown>,
): DocumentedWebhook {
  const value = { id: EXAMPLE_ID, type, timestamp: '2026-11-28T15:00:00.000Z', data };
  return {
    operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      description: 'The event. It is sent at least once, and in any order.',
      content: { 'application/json': { schema: refTo(schema), examples: { event: { summary, value } } } },
    },
    responses: {
      '2XX': {
        description:
          'The event was taken. Any other answer, or none within 15 seconds, is followed by another attempt.',
      },
      '410': { description: 'The webhook is disabled.' },
    },
  };
}

const header = (name: string, description: string): DocumentedParameter => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
});

/** Those of Standard Webhooks 1.0. */
const HEADERS: DocumentedParameter[] = [
  header(WEBHOOK_HEADERS.id, 'Id of the event, the same in each attempt.'),
  header(
    WEBHOOK_HEADERS.timestamp,
    'When the attempt was made, in seconds since 1970. Refuse what is older than five minutes.',
  ),
  header(
    WEBHOOK_HEADERS.signature,
    '`v1,` and the base64 of HMAC-SHA256 of `<id>.<timestamp>.<body>`, with the webhook’s secret. Two, separated by a space, for a day after the secret was replaced.',
  ),
];
