// Webhooks: what happens is sent to each address that chose it, signed, at least once; an address that fails delays nobody and loses nothing.
import { env } from 'cloudflare:workers';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Delivery, DeliveryPage, Webhook } from '#contracts/console/webhooks';
import type { ErrorBody } from '#contracts/public/errors';
import { webhookEventSchema } from '#contracts/public/webhooks';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { mailsTo } from '#tests/support/accounts';
import { auditTrail } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';
import {
  type Answer,
  type ReceivedCall,
  type Receiver,
  receiveWebhooks,
} from '#tests/support/webhook-receiver';
import { newWorkspace, type SmallWorkspace } from '#tests/support/workspaces';
import { deliverDue } from '#worker/domains/webhooks/deliver';
import { forgetDeliveries } from '#worker/domains/webhooks/deliveries';
import { wakeDueWebhooks } from '#worker/domains/webhooks/wake-webhooks';
import { workContext } from '#worker/http/make-work-context';

type Created = Webhook & { secret: string };
let tenant: Tenant;
let workspace: SmallWorkspace;
let live: Environment;
let seats = 1;
let receiver: Receiver;
/** Passed since the test began. */
let later: number;

beforeEach(async () => {
  tenant = await newTenant();
  workspace = await newWorkspace(tenant);
  live = await tenant.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
  receiver = receiveWebhooks(tenant.orgId);
  later = 0;
});
afterEach(() => void vi.restoreAllMocks());

const add = (body: object = {}) =>
  tenant.make<Created>('POST', '/webhooks', { url: `https://${receiver.host}/hooks`, ...body });
const read = ({ id }: Webhook) => tenant.make<Webhook>('GET', `/webhooks/${id}`);
const log = async ({ id }: Webhook, query = '') =>
  (await tenant.make<DeliveryPage>('GET', `/webhooks/${id}/deliveries${query}`)).deliveries;
const context = () => workContext(env, () => Date.now() + later);
const deliver = ({ id }: Webhook) => deliverDue(context(), { webhookId: id });

async function deploy(): Promise<Artifact> {
  await workspace.setSeats(++seats);
  const version = await tenant.make<Artifact>('POST', '/artifacts', { note: 'More seats' });
  await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
  return version;
}

const verified = (secret: string, { headers, body }: ReceivedCall) =>
  webhookEventSchema.parse(new StandardWebhook(secret).verify(body, headers));

describe('a webhook', () => {
  it('is told of a deployment, with the state afterwards, and signed as Standard Webhooks asks', async () => {
    const created = await add();
    const version = await deploy();
    await expect.poll(() => receiver.calls.length).toBe(1);
    const [call] = receiver.calls as [ReceivedCall];
    const event = verified(created.secret, call);
    expect(event).toMatchObject({
      type: 'environment.deployed',
      data: {
        environment: { id: live.id, name: 'Production', type: 'live' },
        version: version.artifactNumber,
        previousVersion: null,
        note: 'More seats',
        isRollback: false,
      },
    });
    expect(call.headers['webhook-id']).toBe(event.id);
    await expect
      .poll(() => log(created))
      .toMatchObject([
        {
          eventId: event.id,
          type: 'environment.deployed',
          environmentId: live.id,
          state: 'delivered',
          attempts: 1,
        },
      ]);
    expect(await log(created)).toMatchObject([
      { status: 200, answer: 'Thanks', problem: null, nextAt: null },
    ]);
    expect(() => verified(`whsec_${btoa('another secret of 24 byt')}`, call)).toThrow(
      'No matching signature',
    );
    expect(() => verified(created.secret, { ...call, body: `${call.body} ` })).toThrow(
      'No matching signature',
    );
  });

  it('hears of the environments and events that it chose, and of nothing of other organisations', async () => {
    const other = await newTenant();
    const test = await tenant.make<Environment>('POST', '/environments', { name: 'Staging', type: 'test' });
    const [own, elsewhere, foreign] = [
      await add({ types: ['environment.deployed'], environmentIds: [live.id] }),
      await add({ url: `https://${receiver.host}/staging`, environmentIds: [test.id] }),
      await other.make<Created>('POST', '/webhooks', { url: `https://${receiver.host}/foreign` }),
    ];
    await deploy();
    await expect.poll(() => receiver.calls.map(({ url }) => url)).toEqual([`https://${receiver.host}/hooks`]);
    expect(await log(own)).toHaveLength(1);
    expect(await log(elsewhere)).toEqual([]);
    const path = `/webhooks/${foreign.id}`;
    for (const [method, below] of [
      ['GET', ''],
      ['GET', '/secret'],
      ['GET', '/deliveries'],
      ['PUT', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['POST', '/resend-failed'],
      ['POST', '/deliveries/evt_1/resend'],
      ['DELETE', ''],
    ] as const) {
      const { status } = await tenant.call(method, `${path}${below}`, method === 'PUT' ? {} : undefined);
      expect([method, below, status]).toEqual([method, below, 404]);
    }
    const refused = await other.call<ErrorBody>('POST', '/webhooks', {
      url: `https://${receiver.host}/`,
      environmentIds: [live.id],
    });
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'environmentIds' }] } });
  });

  it.each([
    ['http://api.example.com/', 'The address must begin with https://'],
    ['https://localhost/', 'The address must have a public domain name'],
    ['https://10.0.0.7/', 'The address must have a public domain name'],
    ['https://[::1]/', 'The address must have a public domain name'],
    ['https://metadata.google.internal/', 'The address must have a public domain name'],
    ['https://ada:secret@api.example.com/', 'The address must not have a password'],
    ['https://api.example.com/#part', 'The address must not have a part after #'],
    ['api.example.com', 'The address is not valid'],
    ['', 'Must not be empty'],
  ])('refuses %s', async (url, message) => {
    const refused = await tenant.call<ErrorBody>('POST', '/webhooks', { url });
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'url', message }] } });
    expect(await tenant.make('GET', '/webhooks')).toEqual([]);
  });

  it('has at most 20 beside it, also when they are added at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () =>
        tenant.call('POST', '/webhooks', { url: `https://${receiver.host}/` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(20).fill(201),
      ...Array(4).fill(409),
    ]);
  });

  it('is signed with two secrets for a day after a rotation, and never again with one that was replaced twice', async () => {
    const created = await add();
    const replaced = await tenant.make<Created>('POST', `/webhooks/${created.id}/rotate`);
    expect(replaced.secret).not.toBe(created.secret);
    await deploy();
    await expect.poll(() => receiver.calls.length).toBe(1);
    for (const secret of [created.secret, replaced.secret])
      verified(secret, receiver.calls[0] as ReceivedCall);
    later = DAY_MS + MINUTE_MS;
    await tenant.make(
      'POST',
      `/webhooks/${created.id}/deliveries/${(await log(created))[0]?.eventId}/resend`,
    );
    await expect.poll(() => receiver.calls.length).toBe(2);
    later = 0;
    const [third] = [await tenant.make<Created>('POST', `/webhooks/${created.id}/rotate`)];
    expect(await tenant.make('GET', `/webhooks/${created.id}/secret`)).toEqual({ secret: third.secret });
    await deploy();
    await expect.poll(() => receiver.calls.length).toBe(3);
    verified(replaced.secret, receiver.calls[2] as ReceivedCall);
    expect(() => verified(created.secret, receiver.calls[2] as ReceivedCall)).toThrow(
      'No matching signature',
    );
    expect((await auditTrail(tenant)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['integration.webhook-secret-rotated', 'integration.webhook-secret-revealed']),
    );
  });
});

describe('an address that fails', () => {
  it('is tried again after growing pauses, until it confirms the event', async () => {
    const created = await add();
    receiver.answer = () => new Response('Broken', { status: 500 });
    await deploy();
    await expect.poll(() => log(created)).toMatchObject([{ attempts: 1, state: 'waiting', status: 500 }]);
    const [first] = await log(created);
    expect((first?.nextAt ?? 0) - (first?.lastAt ?? 0)).toBeGreaterThanOrEqual(5_000);
    await deliver(created);
    expect(receiver.calls).toHaveLength(1);
    for (const [attempts, pause] of [
      [2, 6_000],
      [3, 6 * MINUTE_MS],
      [4, 40 * MINUTE_MS],
    ] as const) {
      later += pause;
      await deliver(created);
      expect((await log(created))[0]).toMatchObject({ attempts, state: 'waiting' });
    }
    expect((await read(created)).failingSince).toBe(first?.lastAt);
    receiver.answer = () => new Response(null, { status: 204 });
    later += 3 * HOUR_MS;
    await deliver(created);
    expect(await log(created)).toMatchObject([{ attempts: 5, state: 'delivered', status: 204 }]);
    expect((await read(created)).failingSince).toBeNull();
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
  });

  it('has failed after ten attempts within four days, and gets the event when somebody resends it', async () => {
    const created = await add();
    receiver.answer = () => new Response(null, { status: 503 });
    await deploy();
    await expect.poll(() => receiver.calls.length).toBe(1);
    for (let attempt = 2; attempt <= 10; attempt++) {
      await expect.poll(async () => (await log(created))[0]?.attempts).toBe(attempt - 1);
      later = ((await log(created))[0]?.nextAt ?? 0) - Date.now() + 1_000;
      await deliver(created);
    }
    expect(later).toBeLessThan(4 * DAY_MS);
    expect(await log(created, '?state=failed')).toMatchObject([
      { attempts: 10, state: 'failed', nextAt: null },
    ]);
    receiver.answer = () => new Response('ok');
    expect(await tenant.make('POST', `/webhooks/${created.id}/resend-failed`)).toEqual({ resent: 1 });
    await expect.poll(() => log(created)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it.each<[string, Answer, Partial<Delivery>]>([
    [
      'redirects',
      () => Response.redirect('https://10.0.0.1/', 302),
      { status: 302, problem: 'Answered with 302. Redirects are not followed.' },
    ],
    [
      'cannot be reached',
      () => Promise.reject(new TypeError('Connection refused')),
      { status: null, problem: 'The address could not be reached' },
    ],
    [
      'answers with ten megabytes',
      () =>
        new Response(
          new ReadableStream({
            pull: (stream) => stream.enqueue(new TextEncoder().encode('x'.repeat(64 * 1024))),
          }),
          { status: 400 },
        ),
      { status: 400, answer: 'x'.repeat(1024) },
    ],
  ])('%s', async (_, give, expected) => {
    const created = await add();
    receiver.answer = give;
    await deploy();
    await expect.poll(() => log(created)).toMatchObject([{ ...expected, state: 'waiting', attempts: 1 }]);
  });

  it('delays no other one: each is called by itself, and a second invocation sends nothing twice', async () => {
    const slow = await add();
    const fast = await add({ url: `https://${receiver.host}/fast` });
    let hasEnded = false;
    receiver.answer = async ({ url }) => {
      while (!url.endsWith('/fast') && !hasEnded) await scheduler.wait(10);
      return new Response('ok');
    };
    await deploy();
    await expect.poll(() => log(fast)).toMatchObject([{ state: 'delivered' }]);
    await deliver(slow);
    expect(receiver.calls.filter(({ url }) => url.endsWith('/hooks'))).toHaveLength(1);
    hasEnded = true;
    await expect.poll(() => log(slow)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('is disabled when it says that it is gone, owners are told, and what is missed can be sent later', async () => {
    const created = await add();
    receiver.answer = () => new Response(null, { status: 410 });
    await deploy();
    await expect.poll(() => read(created)).toMatchObject({ isEnabled: false, disabledBecause: 'gone' });
    expect((await mailsTo(tenant.user.email)).map(({ subject }) => subject)).toMatchObject([
      expect.stringMatching(/^A webhook of .* is disabled$/),
    ]);
    await deploy();
    expect(await log(created)).toMatchObject([
      { state: 'failed', problem: 'The webhook was disabled', attempts: 0 },
      { state: 'failed', status: 410 },
    ]);
    expect(await tenant.call('POST', `/webhooks/${created.id}/resend-failed`)).toMatchObject({ status: 409 });
    receiver.answer = () => new Response('ok');
    await tenant.make('PUT', `/webhooks/${created.id}`, { isEnabled: true });
    await tenant.make('POST', `/webhooks/${created.id}/resend-failed`);
    await expect
      .poll(async () => (await log(created)).map(({ state }) => state))
      .toEqual(['delivered', 'delivered']);
  });

  it('is disabled after five days without a delivery, not by one that fails for the first time then', async () => {
    const created = await add();
    receiver.answer = () => new Response(null, { status: 500 });
    await deploy();
    await expect.poll(() => log(created)).toMatchObject([{ attempts: 1 }]);
    later = 4 * DAY_MS;
    await deliver(created);
    expect(await read(created)).toMatchObject({ isEnabled: true });
    later = 5 * DAY_MS + MINUTE_MS;
    await deliver(created);
    expect(await read(created)).toMatchObject({ isEnabled: false, disabledBecause: 'failing' });
    expect(await auditTrail(tenant)).toContainEqual({
      action: 'integration.webhook-disabled',
      targetId: created.id,
    });
  });

  it('gets after a lost message what is due, by the schedule', async () => {
    const created = await add();
    receiver.answer = () => new Response(null, { status: 500 });
    await deploy();
    await expect.poll(() => log(created)).toMatchObject([{ attempts: 1 }]);
    receiver.answer = () => new Response('ok');
    later = MINUTE_MS;
    const sent: unknown[] = [];
    const queue = {
      sendBatch: async (messages: { body: unknown }[]) => sent.push(...messages.map(({ body }) => body)),
    };
    await wakeDueWebhooks(workContext({ ...env, WEBHOOK_QUEUE: queue as never }, () => Date.now() + later));
    expect(sent).toContainEqual({ type: 'webhook.due', orgId: tenant.orgId, webhookId: created.id });
  });
});

describe('a test event', () => {
  it('is sent at once, says what came back, and is not repeated', async () => {
    const created = await add({ types: ['environment.deployed'], environmentIds: [live.id] });
    receiver.answer = () => new Response('No such route', { status: 404 });
    expect(await tenant.make('POST', `/webhooks/${created.id}/test`)).toMatchObject({
      ...{ type: 'webhook.test', state: 'failed', status: 404, answer: 'No such route', nextAt: null },
      problem: 'Answered with 404. A status from 200 to 299 confirms the event.',
    });
    expect((await read(created)).failingSince).toBeNull();
    receiver.answer = () => new Response('ok');
    const sent = await tenant.make<Delivery>('POST', `/webhooks/${created.id}/test`);
    expect(sent).toMatchObject({ state: 'delivered', status: 200, attempts: 1 });
    expect(verified(created.secret, receiver.calls[1] as ReceivedCall)).toMatchObject({
      id: sent.eventId,
      type: 'webhook.test',
    });
  });
});

describe('the log', () => {
  it('is read in pages, newest first, and forgets after 30 days', async () => {
    const created = await add();
    const rows = Array.from({ length: 60 }, (_, index) =>
      env.DB.prepare(
        `INSERT INTO webhook_delivery (webhook_id, event_id, org_id, type, body, state, created_at) VALUES (?, ?, ?, ?, '{}', 'delivered', ?)`,
      ).bind(
        created.id,
        `evt_${String(index).padStart(3, '0')}`,
        tenant.orgId,
        'webhook.test',
        index < 10 ? 1 : Date.now(),
      ),
    );
    await env.DB.batch(rows);
    const page = await tenant.make<DeliveryPage>('GET', `/webhooks/${created.id}/deliveries`);
    expect(page.deliveries.map(({ eventId }) => eventId).slice(0, 2)).toEqual(['evt_059', 'evt_058']);
    expect(page.next).toBe('evt_010');
    expect(await log(created, `?before=${page.next}`)).toHaveLength(10);
    await forgetDeliveries(context());
    expect(await log(created, `?before=${page.next}`)).toEqual([]);
  });
});
