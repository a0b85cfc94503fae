import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { LOCATIONS } from '#contracts/public/locations';
import { API_KEY_RANDOM_BYTES, formatApiKey } from '#engine/identity/api-key';
import { replicaStub } from '#objects/stubs';
import { newId } from '#runtime/ids';
import { propertyOf } from '#tests/support/access-checks';
import { type CountedEnv, countedEnv } from '#tests/support/counted-env';
import { customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { newFeatureForAll } from '#tests/support/features';
import { publicRequest } from '#tests/support/public-requests';
import { pass, stopClock } from '#tests/support/silence';
import { connectAccount, putCustomer, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { storedProduct } from '#tests/support/stripe-rows';
import { newTenant, publishAll } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';
import { LOOKUP_BURST } from '#worker/domains/snapshots/snapshot-cache';
import worker from '#worker/index';

let key: string;
/** In an environment with a meter for all authenticated users. */
let meteredKey: string;
/** In an environment with a manual grant and no meters. */
let grantingKey: string;
/** In an environment with a connected Stripe account, where a subscription grants a plan with a meter. */
let payingKey: string;
let payer: (customer: { id: string; email: string }) => Parameters<typeof putCustomer>;
const PAYER = { id: 'cus_WarmPath1', email: 'payer@tests.example' };

beforeAll(async () => {
  const tenant = await newTenant();
  await newWorkspace(tenant);
  key = (await tenant.key(await tenant.previewId())).value;
  await publishAll(tenant);

  const metered = await newTenant();
  await newFeatureForAll(metered, { name: 'Exports', slug: 'exports' }).then(({ id }) =>
    metered.make('POST', `/features/${id}/properties`, {
      name: 'Files',
      propertyKey: 'files',
      type: 'meterable',
      value: { state: 'metered', meter: { limit: 5, periodType: 'lifetime', uniqueResourceIds: false } },
    }),
  );
  meteredKey = (await metered.key(await metered.previewId())).value;
  await publishAll(metered);

  const granting = await newTenant();
  const { plan } = await newWorkspace(granting);
  await granting.make('PUT', `/plans/${plan.planId}`, { grantToAnonymousSessions: false });
  grantingKey = (await granting.key(await granting.previewId())).value;
  await granting.make('POST', '/customers/granted@tests.example/grants', {
    planId: plan.planId,
    environmentId: null,
    reason: 'A pilot customer',
    until: null,
  });
  await publishAll(granting);

  const paying = await customerTenant();
  const { tenant: payee, proId } = paying;
  payingKey = paying.secret;
  const integrationId = await connectAccount(payee);
  const product = await storedProduct(payee, integrationId, 'prod_pro');
  await payee.make('PUT', `/plans/${proId}/products`, { addProducts: [{ ...product, version: 2 }] });
  await publishAll(payee);
  const subscriptions = [subscribed('prod_pro')];
  payer = (customer) => [payee, { integrationId, ...customer, subscriptions }];
  await putCustomer(...payer(PAYER));
  const counted = countedEnv();
  const isReady = async () => {
    const { response, settled } = await ask(counted, { userIdentifier: PAYER.id }, payingKey);
    await settled();
    return ((await response.json()) as AccessCheckAnswer).customer;
  };
  await eventually(async () => expect(await isReady()).toEqual({ isCustomer: true, plans: ['pro'] }));
});

async function ask({ env }: CountedEnv, body: unknown = {}, apiKey = key) {
  const context = createExecutionContext();
  const request = publicRequest('access-checks', apiKey, body);
  const response = await worker.fetch(request, env, context);
  return { response, settled: () => waitOnExecutionContext(context) };
}

describe('a warm access check', () => {
  // After a few seconds, which calls take on a busy machine, the snapshot is asked for again.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['anonymous', {}],
    ['authenticated', { userIdentifier: 'ada@example.com' }],
  ])('that is %s calls D1 0 times, queues 0 times and objects 0 times', async (_who, body) => {
    const counted = countedEnv();
    const cold = await ask(counted, body);
    expect(cold.response.status).toBe(200);
    await cold.settled();
    // The nearest of all locations has it.
    expect(counted.counts.replicas).toBe(1);

    Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
    const warm = await ask(counted, body);
    expect(warm.response.status).toBe(200);
    expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
    await warm.settled();
    expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 1, ledgers: 0 });
  });

  it('that needs a meter calls objects exactly once', async () => {
    const counted = countedEnv();
    await (await ask(counted, { userIdentifier: 'ada@example.com' }, meteredKey)).settled();
    Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
    const warm = await ask(counted, { userIdentifier: 'ada@example.com' }, meteredKey);
    expect(warm.response.status).toBe(200);
    expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 1 });
    await warm.settled();
  });

  it.each([
    ['with a grant', 'granted@tests.example', 5],
    ['without a grant', 'nobody@tests.example', 1],
  ])(
    'about a customer %s, in an environment with a manual grant, calls objects once and D1 never',
    async (_who, userIdentifier, seats) => {
      const counted = countedEnv();
      const cold = await ask(counted, { userIdentifier }, grantingKey);
      expect(propertyOf((await cold.response.json()) as AccessCheckAnswer, 'team-seats', 'seats')).toBe(
        seats,
      );
      await cold.settled();
      Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
      const warm = await ask(counted, { userIdentifier }, grantingKey);
      expect(propertyOf((await warm.response.json()) as AccessCheckAnswer, 'team-seats', 'seats')).toBe(
        seats,
      );
      expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 1 });
      await warm.settled();
    },
  );

  it.each([
    ['id', PAYER.id],
    ['email address', PAYER.email],
    ['email address in capitals', PAYER.email.toUpperCase()],
  ])(
    'about a Stripe customer by %s calls objects once and D1 never, also where it takes usage',
    async (_what, userIdentifier) => {
      const counted = countedEnv();
      const consume = { feature: 'workspaces', property: 'files' };
      await (await ask(counted, { userIdentifier }, payingKey)).settled();
      for (const body of [{ userIdentifier }, { userIdentifier, consume }]) {
        Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
        const warm = await ask(counted, body, payingKey);
        const answer = (await warm.response.json()) as AccessCheckAnswer;
        expect(answer.customer).toEqual({ isCustomer: true, plans: ['pro'] });
        expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 1 });
        await warm.settled();
      }
    },
  );

  it('by an email that several customers have calls objects once and D1 never', async () => {
    const email = 'shared@tests.example';
    await putCustomer(...payer({ id: 'cus_WarmPath2', email }));
    await putCustomer(...payer({ id: 'cus_WarmPath3', email }));
    const counted = countedEnv();
    await (await ask(counted, { userIdentifier: email }, payingKey)).settled();
    Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
    const warm = await ask(counted, { userIdentifier: email }, payingKey);
    expect((await warm.response.json()) as AccessCheckAnswer).toMatchObject({
      customer: { isCustomer: true, plans: ['pro'] },
      warnings: [{ code: 'email-ambiguous' }],
    });
    expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 1 });
    await warm.settled();
  });

  it.each([
    ['id', 2],
    ['email address', 4],
  ])(
    'follows a first one about a Stripe customer by %s, whom no ledger knew, with %i calls of ledgers',
    async (what, ledgers) => {
      const id = someCustomerId();
      const email = `${id.toLowerCase()}@tests.example`;
      await putCustomer(...payer({ id, email }));
      const counted = countedEnv();
      await (await ask(counted, {}, payingKey)).settled();
      Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
      const first = await ask(counted, { userIdentifier: what === 'id' ? id : email }, payingKey);
      expect(((await first.response.json()) as AccessCheckAnswer).customer.plans).toEqual(['pro']);
      expect(counted.counts).toMatchObject({ queues: 0, replicas: 0, streams: 0, ledgers });
      await first.settled();
    },
  );

  it('that is anonymous calls no object, even if the environment has customer facts', async () => {
    const counted = countedEnv();
    await (await ask(counted, {}, grantingKey)).settled();
    Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
    const warm = await ask(counted, {}, grantingKey);
    expect(warm.response.status).toBe(200);
    expect(counted.counts).toEqual({ d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 });
    await warm.settled();
  });

  it('shares one call to the event stream with the others of its quarter of a second', async () => {
    const counted = countedEnv();
    await (await ask(counted)).settled();
    counted.counts.streams = 0;
    const calls = await Promise.all(Array.from({ length: 50 }, () => ask(counted)));
    await Promise.all(calls.map(({ settled }) => settled()));
    expect(counted.counts.streams).toBe(1);
  });
});

describe('with D1 out of reach', () => {
  it('a warm check answers', async () => {
    const counted = countedEnv();
    await (await ask(counted)).settled();
    counted.cutOffD1();
    const { response, settled } = await ask(counted);
    expect(response.status).toBe(200);
    await settled();
  });

  it('a check of a customer that no ledger knows yet answers by the plans, with a warning', async () => {
    const counted = countedEnv();
    counted.cutOffD1();
    expectConsole('warn', /customer facts could not be loaded/);
    const { response, settled } = await ask(counted, { userIdentifier: 'ada@tests.example' }, grantingKey);
    expect(await response.json()).toMatchObject({
      customer: { plans: [] },
      warnings: [{ code: 'customer-facts-unknown' }],
    });
    await settled();
  });

  it('a check of an unknown customer uses the identifier itself, with a warning', async () => {
    const counted = countedEnv();
    counted.cutOffD1();
    expectConsole('warn', /customer facts could not be loaded/);
    const { response, settled } = await ask(counted, { userIdentifier: 'cus_Unheard1' }, payingKey);
    expect(await response.json()).toMatchObject({
      customer: { isCustomer: false, plans: [] },
      warnings: [{ code: 'customer-facts-unknown' }],
    });
    await settled();
  });
});

describe('with empty replicas', () => {
  it('a cold check builds the snapshot and fills the nearest replica, which serves the next isolate', async () => {
    const tenant = await newTenant();
    await newWorkspace(tenant);
    const environmentId = await tenant.previewId();
    const { value } = await tenant.key(environmentId);
    await publishAll(tenant);
    for (const location of LOCATIONS) await (await replicaStub(env, environmentId, location)).erase();
    const first = await ask(countedEnv(), {}, value);
    expect(first.response.status).toBe(200);
    await first.settled();

    const next = countedEnv();
    next.cutOffD1();
    const { response, settled } = await ask(next, {}, value);
    expect(response.status).toBe(200);
    await settled();
    expect(next.counts).toMatchObject({ d1: 0, replicas: 1 });
  });
});

describe('with well-formed keys of made-up environments', () => {
  afterEach(() => void vi.useRealTimers());

  it('an isolate asks for a bounded number, refuses the others with 429, and goes on answering', async () => {
    const counted = countedEnv();
    await (await ask(counted)).settled();
    const askFor = async (apiKey: string) => {
      const { response } = await ask(counted, {}, apiKey);
      if (response.status === 429) {
        expect(response.headers.get('retry-after')).toBe('1');
        expect(await response.json()).toMatchObject({ code: 'too-many-unknown-keys' });
      }
      return response.status;
    };
    const madeUp = () =>
      formatApiKey({
        type: 'public',
        environmentId: newId('env', Date.now()),
        home: 'weur',
        random: crypto.getRandomValues(new Uint8Array(API_KEY_RANDOM_BYTES)),
      });
    // Hundreds of objects take longer here than a call may take.
    const absent = { pull: async () => ({ kind: 'absent' }) };
    Object.assign(counted.env, { ENVIRONMENT_REPLICA: { getByName: () => absent } });
    stopClock();
    counted.counts.d1 = 0;
    const first = madeUp();
    expect(await askFor(first)).toBe(401);
    const d1EachTime = counted.counts.d1;
    const asking = Array.from({ length: LOOKUP_BURST + 30 }, () => askFor(madeUp()));
    // Lookups are allowed again with time.
    for (let turn = 0; turn < 55; turn++) await pass(20);
    const statuses = await Promise.all(asking);
    const known = statuses.filter((status) => status === 401).length;
    expect(known).toBeGreaterThanOrEqual(LOOKUP_BURST - 1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - known);
    expect(statuses).toContain(429);
    expect(counted.counts.d1).toBe((1 + known) * d1EachTime);
    // The same key again needs no read.
    expect(await askFor(first)).toBe(401);
    expect(counted.counts.d1).toBe((1 + known) * d1EachTime);
    expect((await ask(counted)).response.status).toBe(200);
  });
});

describe('with no replica in reach', () => {
  it('a warm check answers from memory', async () => {
    const counted = countedEnv();
    await (await ask(counted)).settled();
    counted.cutOffReplicas();
    expect((await ask(counted)).response.status).toBe(200);
  });

  it('a cold check is answered from D1', async () => {
    const counted = countedEnv();
    counted.cutOffReplicas();
    expect((await ask(counted)).response.status).toBe(200);
  });

  it('nor D1, a cold check returns a retryable error', async () => {
    const counted = countedEnv();
    counted.cutOffReplicas();
    counted.cutOffD1();
    const { response } = await ask(counted);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ status: 'error', errorType: 'unavailable' });
  });
});
