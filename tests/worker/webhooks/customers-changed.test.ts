// Webhooks are told what a customer may do now, and what of it changed: once for each change, and not for a deployment.
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Webhook } from '#contracts/console/webhooks';
import { type WebhookEvent, webhookEventSchema } from '#contracts/public/webhooks';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { publishAll } from '#tests/support/tenants';
import { type Receiver, receiveWebhooks } from '#tests/support/webhook-receiver';
import { forgetToldCustomers } from '#worker/domains/webhooks/forget-told-customers';
import { tellCustomersChanged } from '#worker/domains/webhooks/tell-customers-changed';
import { workContext } from '#worker/http/make-work-context';

type Changed = Extract<WebhookEvent, { type: 'customer.entitlements_changed' }>;

let shop: CustomerTenant;
let live: Environment;
let receiver: Receiver;

beforeEach(async () => {
  shop = await customerTenant();
  const { tenant } = shop;
  receiver = receiveWebhooks(tenant.orgId);
  live = await tenant.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
  await deploy();
});
afterEach(() => void vi.restoreAllMocks());

async function deploy() {
  const version = await shop.tenant.make<Artifact>('POST', '/artifacts', {});
  await shop.tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
  await publishAll(shop.tenant);
}

const listen = (body: object = { types: ['customer.entitlements_changed'] }) =>
  shop.tenant.make<Webhook>('POST', '/webhooks', { url: `https://${receiver.host}/`, ...body });

const events = () => receiver.calls.map(({ body }) => webhookEventSchema.parse(JSON.parse(body)));
const changes = () =>
  events().filter((event): event is Changed => event.type === 'customer.entitlements_changed');
const toldRows = async () =>
  (
    await env.DB.prepare('SELECT customer FROM webhook_customer WHERE org_id = ?')
      .bind(shop.tenant.orgId)
      .all<{ customer: string }>()
  ).results;

it('a grant, an override and their ends are told with what was gained, lost and is true now', async () => {
  await listen();
  const { id } = await shop.grant('ada');
  await expect.poll(changes).toHaveLength(1);
  expect(changes()[0]?.data).toEqual({
    environment: { id: live.id, name: 'Production', type: 'live' },
    sequence: expect.any(Number),
    customer: { id: 'ada', userIds: [] },
    cause: 'grant',
    plans: expect.arrayContaining(['pro']),
    gained: ['workspaces.files'],
    lost: [],
    values: {
      'workspaces.seats': { from: 1, to: 50 },
      'workspaces.files': { from: 'off', to: { limit: 100, periodType: 'lifetime' } },
    },
  });
  await shop.override('ada', shop.seats.id, 70);
  await expect.poll(changes).toHaveLength(2);
  expect(changes()[1]?.data).toMatchObject({
    ...{ cause: 'override', gained: [], lost: [] },
    values: { 'workspaces.seats': { from: 50, to: 70 } },
  });
  await shop.tenant.make('DELETE', shop.path('ada', `/grants/${id}`));
  await expect.poll(changes).toHaveLength(3);
  expect(changes()[2]?.data).toMatchObject({
    ...{ cause: 'grant', gained: [], lost: ['workspaces.files'] },
    values: { 'workspaces.files': { from: { limit: 100 }, to: 'off' } },
  });
  const sequences = changes().map(({ data }) => data.sequence);
  expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  expect(new Set(sequences).size).toBe(3);
});

it('what changes nothing, a deployment and another environment are not told', async () => {
  await listen();
  await shop.grant('grace', { planId: shop.plusId });
  await expect.poll(changes).toHaveLength(1);
  await shop.override('grace', shop.seats.id, 5);
  await shop.grant('grace', { environmentId: shop.previewId });
  await shop.tenant.make('POST', '/features', { name: 'Exports', slug: 'exports' });
  await deploy();
  await shop.override('grace', shop.seats.id, 6);
  await expect.poll(changes).toHaveLength(2);
  expect(changes()[1]?.data.values).toEqual({ 'workspaces.seats': { from: 5, to: 6 } });
});

it('a message that is repeated, at once or later, tells nothing again', async () => {
  await listen();
  await shop.grant('joan');
  await expect.poll(changes).toHaveLength(1);
  const message = {
    type: 'webhook.customers-changed',
    ...{ outboxId: 'out_again', orgId: shop.tenant.orgId, environmentId: null, customers: ['joan'] },
  } as const;
  const context = workContext(env, Date.now);
  await Promise.all([1, 2, 3].map(() => tellCustomersChanged(context, message)));
  expect(changes()).toHaveLength(1);
});

it('of customers that were there before the webhook, only what changes is told', async () => {
  await shop.grant('emmy');
  await shop.override('emmy', shop.seats.id, 60);
  await listen();
  await expect.poll(toldRows).toEqual([{ customer: 'emmy' }]);
  await shop.override('emmy', shop.seats.id, 61);
  await expect.poll(changes).toHaveLength(1);
  expect(changes()[0]?.data).toMatchObject({
    ...{ cause: 'override', gained: [], lost: [] },
    values: { 'workspaces.seats': { from: 60, to: 61 } },
  });
});

it('messages for one customer at the same time tell its change once', async () => {
  await listen({ types: ['environment.deployed'] });
  await shop.grant('mary');
  const { id } = (await shop.tenant.make<Webhook[]>('GET', '/webhooks'))[0] as Webhook;
  // As if nobody had noted what customers may do.
  await env.DB.prepare('UPDATE webhook SET types = NULL WHERE id = ?').bind(id).run();
  const message = {
    type: 'webhook.customers-changed',
    ...{ outboxId: 'out_twice', orgId: shop.tenant.orgId, environmentId: null, customers: ['mary'] },
  } as const;
  const context = workContext(env, Date.now);
  await Promise.all([1, 2, 3, 4].map(() => tellCustomersChanged(context, message)));
  await expect.poll(changes).toHaveLength(1);
});

it('without a webhook that is told of customers nothing is stored, and after the last one it is forgotten', async () => {
  await listen({ types: ['environment.deployed'] });
  await shop.grant('edith');
  expect(await toldRows()).toEqual([]);
  const hook = await listen();
  await shop.grant('edith', { planId: shop.plusId });
  await expect.poll(toldRows).toEqual([{ customer: 'edith' }]);
  await forgetToldCustomers(workContext(env, Date.now));
  expect(await toldRows()).toHaveLength(1);
  await shop.tenant.make('DELETE', `/webhooks/${hook.id}`);
  await forgetToldCustomers(workContext(env, Date.now));
  expect(await toldRows()).toEqual([]);
});
