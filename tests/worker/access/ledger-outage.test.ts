// What a warm isolate answers while ledgers fail or are overloaded.

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { propertyOf } from '#tests/support/access-checks';
import { type CountedEnv, countedEnv } from '#tests/support/counted-env';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { ofFiles, type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { publicRequest } from '#tests/support/public-requests';
import { subscribed } from '#tests/support/stripe-customers';
import { enableLocations, publishAll } from '#tests/support/tenants';
import { handlePublicApi } from '#worker/public-api';

const OUTAGE = new Error('Network connection lost');
const OVERLOAD = Object.assign(new Error('Durable Object is overloaded'), { overloaded: true });
const HOUR_MS = 3_600_000;
const NO_CALLS = { d1: 0, queues: 0, replicas: 0, streams: 0, ledgers: 0 };

let own: PayingTenant;
beforeAll(async () => {
  own = await payingTenant();
  await enableLocations(own.tenant, 'weur', 'oc');
  await publishAll(own.tenant);
});
afterEach(() => {
  vi.useRealTimers();
});

async function call({ env }: CountedEnv, path: string, body: object, key = own.secret) {
  const context = createExecutionContext();
  const request = publicRequest(path, key, body);
  const response = await handlePublicApi(request, env, context);
  await waitOnExecutionContext(context);
  return response;
}

async function check(counted: CountedEnv, body: object): Promise<AccessCheckAnswer> {
  const response = await call(counted, 'access-checks', body);
  expect(response.status).toBe(200);
  return response.json();
}

const filesOf = (answer: AccessCheckAnswer) => propertyOf(answer, 'workspaces', 'files');
const codesOf = ({ warnings }: AccessCheckAnswer) => warnings.map(({ code }) => code);

/** A paying customer whose meter this isolate has read. */
async function someoneRead(by = 3): Promise<string> {
  const { id } = await own.someone([subscribed('prod_pro')]);
  const counted = countedEnv();
  expect((await call(counted, 'counter-updates', ofFiles(id, { by }))).status).toBe(200);
  await eventually(async () => {
    expect(filesOf(await check(counted, { userIdentifier: id }))).toMatchObject({ used: by });
  });
  return id;
}

function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

describe('while every ledger fails', () => {
  it.each([
    ['a second', 1_000, ['usage-stale']],
    ['31 seconds', 31_000, ['customer-facts-stale', 'usage-stale']],
    ['23 hours', 23 * HOUR_MS, ['snapshot-stale', 'customer-facts-stale', 'usage-stale']],
  ])('a paying customer keeps plans and usage after %s', async (_for, ms, codes) => {
    const id = await someoneRead();
    const counted = countedEnv();
    await check(counted, {});
    counted.failLedgers(OUTAGE);
    if (codes.includes('snapshot-stale')) counted.cutOffReplicas();
    expectConsole('warn', /usage could not be read/);
    later(ms);
    const answer = await check(counted, { userIdentifier: id });
    expect(answer.customer).toEqual({ isCustomer: true, plans: ['pro'] });
    expect(filesOf(answer)).toMatchObject({ used: 3, limit: 100 });
    expect(codesOf(answer)).toEqual(codes);
  });

  it('a customer that this isolate does not know has the plans that the database says', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    const counted = countedEnv();
    counted.failLedgers(OUTAGE);
    expectConsole('warn', /usage could not be read/);
    for (const userIdentifier of [email, id]) {
      const answer = await check(counted, { userIdentifier });
      expect(answer.customer).toEqual({ isCustomer: true, plans: ['pro'] });
      expect(codesOf(answer)).toEqual(['usage-unknown']);
    }
  });

  it('without the database, what nobody remembers is unknown', async () => {
    const { id } = await own.someone([subscribed('prod_pro')]);
    const counted = countedEnv();
    await check(counted, {});
    counted.failLedgers(OUTAGE);
    counted.cutOffD1();
    expectConsole('warn', /usage could not be read/);
    expectConsole('warn', /customer facts could not be loaded/);
    const answer = await check(counted, { userIdentifier: id });
    expect(answer.customer.plans).toEqual([]);
    expect(codesOf(answer)).toEqual(['customer-facts-unknown']);
  });

  it('a plan that was revoked before does not come back', async () => {
    const { id, put } = await own.someone([subscribed('prod_pro')]);
    const counted = countedEnv();
    await eventually(async () =>
      expect((await check(counted, { userIdentifier: id })).customer.plans).toEqual(['pro']),
    );
    await put({ subscriptions: [] }, true);
    await eventually(async () =>
      expect((await check(counted, { userIdentifier: id })).customer.plans).toEqual([]),
    );
    counted.failLedgers(OUTAGE);
    counted.cutOffD1();
    expectConsole('warn', /usage could not be read/);
    later(31_000);
    expect((await check(counted, { userIdentifier: id })).customer.plans).toEqual([]);
  });
});

describe('while the nearest ledger is overloaded', () => {
  async function overloaded(): Promise<CountedEnv> {
    const counted = countedEnv();
    await check(counted, {});
    counted.failLedgers(OVERLOAD);
    Object.assign(counted.counts, NO_CALLS);
    return counted;
  }

  it.each(['local', 'bounded', 'strict'])(
    'a %s read answers with the last reading, and calls no other location',
    async (consistency) => {
      const id = await someoneRead();
      const counted = await overloaded();
      expectConsole('warn', /usage could not be read/);
      later(2_000);
      const answer = await check(counted, { userIdentifier: id, consistency });
      expect(filesOf(answer)).toMatchObject({ used: 3 });
      expect(codesOf(answer)).toEqual(['usage-stale']);
      expect(counted.counts.ledgers).toBe(1);
    },
  );

  it('a read of a customer that was never read is a 503 with Retry-After', async () => {
    const { id } = await own.someone([subscribed('prod_pro')]);
    const counted = await overloaded();
    expectConsole('warn', /usage could not be read/);
    const response = await call(counted, 'access-checks', { userIdentifier: id });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(counted.counts.ledgers).toBe(1);
  });

  it('a few times in a row, it is left alone for a while, and no other location is called instead', async () => {
    const id = await someoneRead();
    const counted = await overloaded();
    expectConsole('warn', /usage could not be read/);
    later(2_000);
    for (let call = 0; call < 5; call++) {
      const answer = await check(counted, { userIdentifier: id });
      expect(filesOf(answer)).toMatchObject({ used: 3 });
      expect(codesOf(answer)).toEqual(['usage-stale']);
    }
    expect(counted.counts.ledgers).toBe(3);
    later(4_000);
    await check(counted, { userIdentifier: id });
    expect(counted.counts.ledgers).toBe(4);
  });

  it.each([
    ['an update', 'counter-updates', (id: string) => ofFiles(id)],
    [
      'an update with a key',
      'counter-updates',
      (id: string) => ofFiles(id, { idempotencyKey: 'overloaded' }),
    ],
    [
      'a consuming check',
      'access-checks',
      (userIdentifier: string) => ({ userIdentifier, consume: { feature: 'workspaces', property: 'files' } }),
    ],
  ])('%s is a 503 with Retry-After, and goes nowhere else', async (_what, path, bodyOf) => {
    const id = await someoneRead();
    const counted = await overloaded();
    const response = await call(counted, path, bodyOf(id));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(counted.counts.ledgers).toBe(1);
  });
});
