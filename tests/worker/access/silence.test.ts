// What calls do while D1, a replica or a ledger never answers: the test's clock is the only one, so nothing ends by itself.

import { createExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { CALL_MS, HEDGE_READ_MS, HEDGE_UPDATE_MS, PULL_MS, READ_MS } from '#engine/outages/budget';
import { propertyOf } from '#tests/support/access-checks';
import { expectConsole } from '#tests/support/expect-console';
import { newFeatureForAll } from '#tests/support/features';
import { type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { publicRequest } from '#tests/support/public-requests';
import { pass, SilentBindings, stopClock } from '#tests/support/silence';
import { subscribed } from '#tests/support/stripe-customers';
import { enableLocations, newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { handlePublicApi } from '#worker/public-api';

const ENABLED: readonly Location[] = ['weur', 'oc'];
const NEAREST = 'weur';
const NEXT = 'oc';

let tenant: Tenant;
let key: string;
beforeAll(async () => {
  tenant = await newTenant();
  const { id } = await newFeatureForAll(tenant, { name: 'Exports', slug: 'exports' });
  await tenant.make('POST', `/features/${id}/properties`, {
    name: 'Files',
    propertyKey: 'files',
    type: 'meterable',
    value: { state: 'metered', meter: { limit: 50, periodType: 'lifetime', uniqueResourceIds: false } },
  });
  await enableLocations(tenant, ...ENABLED);
  key = (await tenant.key(await tenant.previewId())).value;
  await publishAll(tenant);
});
afterEach(() => void vi.useRealTimers());

async function call(
  { env }: Pick<SilentBindings, 'env'>,
  path: string,
  body: object,
  secret = key,
): Promise<Response> {
  const request = publicRequest(path, secret, body);
  return handlePublicApi(request, env, createExecutionContext());
}

/** What the call returns without any more time. @throws if it still waits */
async function now<T>(work: Promise<T>): Promise<T> {
  const still = scheduler.wait(5_000).then(() => {
    throw new Error('The call still waits');
  });
  still.catch(() => undefined);
  return Promise.race([work, still]);
}

async function bodyOf(answering: Promise<Response>): Promise<AccessCheckAnswer> {
  const response = await now(answering);
  expect(response.status).toBe(200);
  return response.json();
}

/** Bindings of an isolate that has the environment. */
async function warm(): Promise<SilentBindings> {
  const bindings = new SilentBindings();
  await bodyOf(call(bindings, 'access-checks', {}));
  return bindings;
}

let serial = 0;
function someone(): string {
  serial += 1;
  return `silent-${serial}@tests.example`;
}
const check = (bindings: SilentBindings, userIdentifier = someone()) =>
  call(bindings, 'access-checks', { userIdentifier });
const update = (bindings: SilentBindings, more: object = {}) =>
  call(bindings, 'counter-updates', {
    userIdentifier: someone(),
    feature: 'exports',
    property: 'files',
    by: 2,
    ...more,
  });
const calledLedgers = ({ calls }: SilentBindings) =>
  calls.flatMap((each) => (each.startsWith('LEDGER') ? [each.split(' ')[1]] : []));

describe('while D1 never answers', () => {
  it('and no replica either, a cold call is a 503 when its budget ends', async () => {
    const bindings = new SilentBindings().silence('DB').silence('ENVIRONMENT_REPLICA');
    stopClock();
    const answering = call(bindings, 'access-checks', {});
    await bindings.isWaiting();
    // The nearest location, the one that the key names, and all others.
    await pass(HEDGE_READ_MS);
    await bindings.isWaiting(2);
    await pass(HEDGE_READ_MS);
    await bindings.isWaiting(LOCATIONS.length);
    await pass(PULL_MS - 2 * HEDGE_READ_MS);
    await bindings.isWaiting(1 + LOCATIONS.length);
    await pass(CALL_MS - PULL_MS);
    const response = await now(answering);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('while the nearest replica never answers', () => {
  it('a cold call gets the snapshot of the next location', async () => {
    const bindings = new SilentBindings().silence('ENVIRONMENT_REPLICA', { location: NEAREST });
    stopClock();
    const answering = call(bindings, 'access-checks', {});
    await bindings.isWaiting();
    await pass(HEDGE_READ_MS);
    expect((await bodyOf(answering)).warnings).toEqual([]);
  });

  it('a warm isolate confirms its snapshot with the next location, and no further one', async () => {
    const bindings = await warm();
    bindings.silence('ENVIRONMENT_REPLICA', { location: NEAREST });
    stopClock();
    await pass(10_000);
    const answering = call(bindings, 'access-checks', {});
    await bindings.isWaiting();
    await pass(HEDGE_READ_MS);
    expect((await bodyOf(answering)).warnings).toEqual([]);
    expect(bindings.calls.slice(-2)).toEqual([
      `ENVIRONMENT_REPLICA ${NEAREST} pull`,
      `ENVIRONMENT_REPLICA ${NEXT} pull`,
    ]);
  });

  it('nor any other, an old snapshot is used with a warning', async () => {
    const bindings = await warm();
    bindings.silence('ENVIRONMENT_REPLICA');
    stopClock();
    await pass(31_000);
    const answering = call(bindings, 'access-checks', {});
    await bindings.isWaiting();
    await pass(PULL_MS);
    expect((await bodyOf(answering)).warnings).toEqual([expect.objectContaining({ code: 'snapshot-stale' })]);
  });
});

describe('while the nearest ledger never answers', () => {
  async function silentNearest(): Promise<SilentBindings> {
    const bindings = (await warm()).silence('LEDGER', { location: NEAREST });
    stopClock();
    return bindings;
  }

  it('a read is answered by the next location after a short wait', async () => {
    const bindings = await silentNearest();
    const answering = check(bindings);
    await bindings.isWaiting();
    await pass(HEDGE_READ_MS);
    const answer = await bodyOf(answering);
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 0, limit: 50 });
    expect(answer.warnings).toEqual([]);
    expect(calledLedgers(bindings)).toEqual([NEAREST, NEXT]);
  });

  it('reads after a few silences do not wait for it', async () => {
    const bindings = await silentNearest();
    const customer = someone();
    for (let count = 1; count <= 3; count++) {
      const answering = check(bindings, customer);
      await bindings.isWaiting(count);
      await pass(HEDGE_READ_MS);
      await bodyOf(answering);
    }
    expect((await bodyOf(check(bindings, customer))).warnings).toEqual([]);
    expect(bindings.pending).toBe(3);
  });

  it('an update under a key counts in the next location, and not after ordinary slowness', async () => {
    const bindings = await silentNearest();
    const answering = update(bindings, { idempotencyKey: 'silent-1' });
    await bindings.isWaiting();
    await pass(HEDGE_UPDATE_MS - 1);
    expect(calledLedgers(bindings)).toEqual([NEAREST]);
    await pass(1);
    expect(await (await now(answering)).json()).toMatchObject({ accepted: true, applied: 2 });
    expect(calledLedgers(bindings)).toEqual([NEAREST, NEXT]);
  });

  it('an update without a key goes nowhere else: it is a 503 that asks for one', async () => {
    const bindings = await silentNearest();
    const answering = update(bindings);
    await bindings.isWaiting();
    await pass(CALL_MS);
    const response = await now(answering);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('idempotencyKey') });
    expect(calledLedgers(bindings)).toEqual([NEAREST]);
  });

  it('nor the next one, a read says that usage is unknown, and asks no third location', async () => {
    const bindings = (await warm()).silence('LEDGER');
    stopClock();
    expectConsole('warn', /usage could not be read/);
    const answering = check(bindings);
    await bindings.isWaiting();
    await pass(HEDGE_READ_MS);
    await bindings.isWaiting(2);
    await pass(READ_MS - HEDGE_READ_MS);
    const { warnings } = await bodyOf(answering);
    expect(warnings).toEqual([expect.objectContaining({ code: 'usage-unknown' })]);
    expect(calledLedgers(bindings)).toEqual([NEAREST, NEXT]);
  });

  it('a strict read ends without asking another location', async () => {
    const bindings = (await warm()).silence('LEDGER');
    stopClock();
    expectConsole('warn', /usage could not be read/);
    const answering = call(bindings, 'access-checks', { userIdentifier: someone(), consistency: 'strict' });
    await bindings.isWaiting();
    await pass(READ_MS);
    expect((await bodyOf(answering)).warnings).toEqual([expect.objectContaining({ code: 'usage-unknown' })]);
    expect(calledLedgers(bindings)).toHaveLength(1);
  });
});

describe('in an environment with customer facts', () => {
  let own: PayingTenant;
  beforeAll(async () => {
    own = await payingTenant();
  });

  /** A check of a customer of this isolate's, whose ledgers and the others never answer, until reading usage has ended. */
  async function silentCheck(others: readonly 'DB'[]) {
    const { id } = await own.someone([subscribed('prod_pro')]);
    const bindings = new SilentBindings();
    await bodyOf(call(bindings, 'access-checks', {}, own.secret));
    bindings.silence('LEDGER');
    for (const each of others) bindings.silence(each);
    stopClock();
    expectConsole('warn', /usage could not be read/);
    const answering = call(bindings, 'access-checks', { userIdentifier: id }, own.secret);
    await bindings.isWaiting();
    await pass(HEDGE_READ_MS);
    await scheduler.wait(50);
    await pass(READ_MS - HEDGE_READ_MS);
    return { bindings, answering };
  }

  it('a silent ledger leaves time to ask D1 for the customer’s plans', async () => {
    const { answering } = await silentCheck([]);
    const { customer, warnings } = await bodyOf(answering);
    expect(customer.plans).toEqual(['pro']);
    expect(warnings.map(({ code }) => code)).toEqual(['usage-unknown']);
  });

  it('a check ends with its budget although neither a ledger nor D1 answers', async () => {
    expectConsole('warn', /customer facts could not be loaded/);
    const { bindings, answering } = await silentCheck(['DB']);
    await bindings.isWaiting(calledLedgers(bindings).length + 1);
    await pass(CALL_MS - READ_MS);
    const { customer, warnings } = await bodyOf(answering);
    expect(customer.plans).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['customer-facts-unknown']);
  });
});
