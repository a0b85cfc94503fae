// Webhook endpoints: https://docs.stripe.com/api/webhook_endpoints.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { WebhookEndpointRecord } from '../store/records.ts';
import { getRecord, type List, listPage } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';

const maxEndpoints = 16;

/** @param withSecret Stripe returns the secret once, in the response to the creation */
export function showEndpoint(
  context: Context,
  { secret, ...record }: WebhookEndpointRecord,
  withSecret = false,
): Stripe.WebhookEndpoint {
  return {
    ...record,
    object: 'webhook_endpoint',
    application: null,
    livemode: context.livemode,
    ...(withSecret ? { secret } : {}),
  };
}

export function createWebhookEndpoint(context: Context, params: Params): Stripe.WebhookEndpoint {
  const { objects } = context.emulator;
  if (objects.count(context.scope, 'webhook_endpoint') >= maxEndpoints) {
    const mode = context.livemode ? 'live' : 'test';
    throw invalidRequest(`You have reached the maximum of ${maxEndpoints} ${mode} webhook endpoints.`);
  }
  params.accept('connect');
  const record: WebhookEndpointRecord = {
    id: newId('we', 24),
    created: context.now,
    api_version: params.text('api_version') ?? null,
    description: params.text('description') ?? null,
    enabled_events: readEvents(params) ?? refuseMissingEvents(),
    metadata: params.metadata(),
    secret: newId('whsec', 32),
    status: 'enabled',
    url: readUrl(params) ?? params.requiredText('url'),
  };
  objects.insert(context.scope, 'webhook_endpoint', record);
  return showEndpoint(context, record, true);
}

export function updateWebhookEndpoint(context: Context, params: Params, id: string): Stripe.WebhookEndpoint {
  const record = getRecord(context, 'webhook_endpoint', id);
  const isDisabled = params.boolean('disabled');
  const changed: WebhookEndpointRecord = {
    ...record,
    ...omitUndefined({
      description: params.emptyable('description'),
      enabled_events: readEvents(params),
      url: readUrl(params),
      status: isDisabled === undefined ? undefined : isDisabled ? 'disabled' : 'enabled',
    }),
    metadata: params.metadata(record.metadata),
  };
  context.emulator.objects.update(context.scope, 'webhook_endpoint', changed);
  return showEndpoint(context, changed);
}

/** As "Roll secret" in Stripe's dashboard, with immediate expiry of the old one. Stripe's API does not have it. */
export function rollSecret(context: Context, id: string): Stripe.WebhookEndpoint {
  const changed = { ...getRecord(context, 'webhook_endpoint', id), secret: newId('whsec', 32) };
  context.emulator.objects.update(context.scope, 'webhook_endpoint', changed);
  return showEndpoint(context, changed, true);
}

export function deleteWebhookEndpoint(context: Context, id: string): Stripe.DeletedWebhookEndpoint {
  getRecord(context, 'webhook_endpoint', id);
  context.emulator.objects.remove(context.scope, 'webhook_endpoint', id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

export function listWebhookEndpoints(context: Context, params: Params): List<Stripe.WebhookEndpoint> {
  return listPage(context, params, {
    kind: 'webhook_endpoint',
    url: '/v1/webhook_endpoints',
    show: (record) => showEndpoint(context, record),
  });
}

function readEvents(params: Params): string[] | undefined {
  const events = params.texts('enabled_events');
  for (const [index, type] of events?.entries() ?? []) {
    if (type === '*' || /^[a-z0-9_]+(\.[a-z0-9_]+)+$/.test(type)) continue;
    throw invalidRequest(`Invalid enabled_events[${index}]: must be a type of event or '*'`, {
      param: `enabled_events[${index}]`,
    });
  }
  return events;
}

function refuseMissingEvents(): never {
  throw parameterMissing('enabled_events');
}

/** Unlike Stripe, the emulator also delivers to localhost, and without TLS in live mode. */
function readUrl(params: Params): string | undefined {
  const url = params.text('url');
  if (url === undefined) return undefined;
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === 'https:' || protocol === 'http:') return url;
  throw invalidRequest('Invalid URL: An explicit scheme (such as https) must be provided.', {
    code: 'url_invalid',
    param: 'url',
  });
}
