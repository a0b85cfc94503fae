import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Event } from '#contracts/console/events';
import type { FeatureProperty } from '#contracts/console/features';
import type { EventBatch } from '#contracts/internal/event-batch';
import type { MeterableValue } from '#contracts/public/values';
import { keyOfHeader } from '#engine/access/idempotency-key';
import { shardOf } from '#engine/ledger/shard-of';
import { someStream } from '#lab/fixtures/recorded-events';
import { eventStreamStub, ledgerAt } from '#objects/stubs';
import { check, propertyOf, refusal } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { newFeatureForAll } from '#tests/support/features';
import { publicRequest } from '#tests/support/public-requests';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import type { Env } from '#worker/env';
import { handlePublicApi } from '#worker/public-api';

interface Metered {
  tenant: Tenant;
  secret: string;
  open: string;
}

/** Files: 50 a month by plan; seats: 3 per lifetime, by resource; chairs: on, such a meter by default; queries: on by default; faxes: off; storage: a number. */
async function meteredTenant(): Promise<Metered> {
  const tenant = await newTenant();
  const feature = await newFeatureForAll(tenant, { name: 'Data exports', slug: 'exports' });
  const add = (propertyKey: string, type: string, value: unknown) =>
    tenant.make<FeatureProperty>('POST', `/features/${feature.id}/properties`, {
      name: propertyKey,
      propertyKey,
      type,
      value,
    });
  const files = await add('files', 'meterable', { state: 'off' });
  const seats = await add('seats', 'meterable', { state: 'off' });
  await add('queries', 'meterable', { state: 'on' });
  await add('faxes', 'meterable', { state: 'off' });
  await add('storage', 'number', 5);
  const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', {
    name: 'Everybody',
    slug: 'everybody',
  });
  await tenant.make('PUT', `/plans/${planId}`, {
    grantToAuthenticatedUsers: true,
    grantToAnonymousSessions: true,
  });
  const perMonth: MeterableValue = {
    state: 'metered',
    meter: {
      limit: 50,
      periodType: 'rolling',
      periodCount: 1,
      periodLength: 'month',
      uniqueResourceIds: false,
    },
  };
  const inALifetime: MeterableValue = {
    state: 'metered',
    meter: { limit: 3, periodType: 'lifetime', uniqueResourceIds: true },
  };
  const chairs = await add('chairs', 'meterable', inALifetime);
  await tenant.make('PUT', `/plans/${planId}/versions/1`, {
    properties: {
      [feature.id]: [
        { id: chairs.id, type: 'meterable', value: { state: 'on' } },
        { id: files.id, type: 'meterable', value: perMonth },
        { id: seats.id, type: 'meterable', value: inALifetime },
      ],
    },
  });
  const previewId = await tenant.previewId();
  const secret = (await tenant.key(previewId, 'secret')).value;
  const open = (await tenant.key(previewId, 'public')).value;
  await publishAll(tenant);
  return { tenant, secret, open };
}

let metered: Metered;
beforeAll(async () => {
  metered = await meteredTenant();
});

let serial = 0;
/** A customer that no other test uses. */
function someone(): string {
  serial += 1;
  return `customer-${serial}@tests.example`;
}

const files = (userIdentifier: string, more: object = {}) => ({
  userIdentifier,
  feature: 'exports',
  property: 'files',
  ...more,
});
const seats = (userIdentifier: string, resourceId: string, more: object = {}) => ({
  userIdentifier,
  feature: 'exports',
  property: 'seats',
  resourceId,
  ...more,
});

describe('a counter update', () => {
  it('counts, and the next check shows it', async () => {
    const { secret } = metered;
    const who = someone();
    expect(await update(secret, files(who, { by: 7 }))).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        accepted: true,
        replayed: false,
        meter: { state: 'metered', allowed: true, limit: 50, used: 7, remaining: 43, periodType: 'rolling' },
        warnings: [],
      },
    });
    const answer = await check(secret, { userIdentifier: who });
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 7, remaining: 43, allowed: true });
    expect(propertyOf(await check(secret, { userIdentifier: someone() }), 'exports', 'files')).toMatchObject({
      used: 0,
    });
  });

  it('counts one where it does not say how much, also beyond a limit that it does not enforce', async () => {
    const who = someone();
    await update(metered.secret, files(who, { by: 50 }));
    const { body } = await update(metered.secret, files(who));
    expect(body).toMatchObject({ accepted: true, meter: { used: 51, remaining: 0, allowed: false } });
  });

  it('takes only what fits where it enforces, and nothing of what does not', async () => {
    const who = someone();
    const enforced = (by: number) => update(metered.secret, files(who, { by, enforce: true }));
    expect((await enforced(48)).body).toMatchObject({ accepted: true, meter: { used: 48 } });
    expect((await enforced(3)).body).toMatchObject({ accepted: false, meter: { used: 48, remaining: 2 } });
    expect((await enforced(2)).body).toMatchObject({ accepted: true, meter: { used: 50, allowed: false } });
  });

  it('accepts exactly 50 of 64 that come at once against a limit of 50', async () => {
    const who = someone();
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => update(metered.secret, files(who, { enforce: true }))),
    );
    expect(answers.filter(({ body }) => body.accepted)).toHaveLength(50);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('gives back with a negative amount, never below nothing', async () => {
    const who = someone();
    await update(metered.secret, files(who, { by: 5 }));
    expect((await update(metered.secret, files(who, { by: -2 }))).body.meter).toMatchObject({ used: 3 });
    expect((await update(metered.secret, files(who, { by: -100 }))).body.meter).toMatchObject({ used: 0 });
    expect((await update(metered.secret, files(who, { by: 1 }))).body.meter).toMatchObject({ used: 1 });
  });

  it.each(['files', 'queries', 'faxes'])(
    'of 0 or less is answered, counts nothing and is one event, also for a customer that never counted (%s)',
    async (property) => {
      const stream = await eventStreamStub(env, metered.tenant.orgId, undefined);
      for (const [number, by] of [0, -1].entries()) {
        for (const key of [{}, { idempotencyKey: `first ${number}` }]) {
          const who = someone();
          const answer = await update(metered.secret, files(who, { property, by, ...key }));
          expect(answer).toMatchObject({ status: 200, body: { accepted: true, replayed: false } });
          await expect
            .poll(async () => (await stream.search({ limit: 9, text: who })).events)
            .toHaveLength(1);
        }
      }
    },
  );

  it.each([{}, { by: 1 }, { by: 0 }, { by: -1 }, { enforce: true }, { idempotencyKey: 'without' }])(
    'without a resource (%j) is not accepted by a meter of unique resources, and says why',
    async (more) => {
      const stream = await eventStreamStub(env, metered.tenant.orgId, undefined);
      const who = someone();
      const { status, body } = await update(metered.secret, files(who, { property: 'seats', ...more }));
      expect(status).toBe(200);
      expect(body).toMatchObject({ accepted: false, replayed: false, applied: 0, meter: { used: 0 } });
      expect(body.warnings.map(({ code }) => code)).toEqual(['resource-id-missing']);
      const find = async () => (await stream.search({ limit: 9, text: who })).events;
      await expect.poll(find).toHaveLength(1);
      const [event] = await find();
      expect(event).toMatchObject({ outcome: 'denied', warningCodes: ['resource-id-missing'] });
    },
  );

  it('says what it added or removed, also when it repeats the first response', async () => {
    const who = someone();
    const applied = async (body: object) => (await update(metered.secret, body)).body.applied;
    const keyed = files(who, { by: 4, idempotencyKey: 'four' });
    expect(await applied(keyed)).toBe(4);
    expect(await applied(files(who, { by: -1 }))).toBe(-1);
    expect(await applied(files(who, { by: -9 }))).toBe(-3);
    expect(await applied(files(who, { by: -9 }))).toBe(0);
    expect(await applied(keyed)).toBe(4);
    expect(await applied(files(who, { by: 99, enforce: true }))).toBe(0);
    for (const [resourceId, release, change] of [
      ['one', false, 1],
      ['one', false, 0],
      ['one', true, -1],
      ['one', true, 0],
    ] as const)
      expect(await applied(seats(who, resourceId, { release }))).toBe(change);
  });

  it('counts a resource once, and gives it back', async () => {
    const who = someone();
    await update(metered.secret, seats(who, 'ada'));
    await update(metered.secret, seats(who, 'ada'));
    expect((await update(metered.secret, seats(who, 'bob'))).body.meter).toMatchObject({
      used: 2,
      remaining: 1,
    });
    const released = await update(metered.secret, seats(who, 'ada', { release: true }));
    expect(released.body.meter).toMatchObject({ used: 1, remaining: 2 });
  });

  it('with the same idempotency key counts once, also twenty times at once', async () => {
    const who = someone();
    const keyed = files(who, { by: 3, idempotencyKey: 'order-1' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => update(metered.secret, keyed)));
    expect(answers.filter(({ body }) => !body.replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.meter))).size).toBe(1);
    const answer = await check(metered.secret, { userIdentifier: who });
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 3 });
  });

  it('takes the key from the header as well, and refuses two that differ', async () => {
    const who = someone();
    const header = { 'idempotency-key': 'from-the-header' };
    await update(metered.secret, files(who), header);
    expect((await update(metered.secret, files(who), header)).body.replayed).toBe(true);
    const both = await update(metered.secret, files(who, { idempotencyKey: 'another' }), header);
    expect(both).toMatchObject({ status: 400, body: { issues: [{ path: 'idempotencyKey' }] } });
  });

  it('refuses a key in the header whose bytes are not UTF-8: the platform reads each of them as U+FFFD', () => {
    const read = (header: string) => keyOfHeader(header, undefined, 'idempotencyKey');
    expect(() => read('m\ufffdller')).toThrow('Idempotency-Key: Contains invalid Unicode');
    expect(read('müller')).toBe('müller');
  });

  it('is recorded with the key of the header, so that its event repeats it', async () => {
    const who = someone();
    const { body } = await update(metered.secret, files(who), { 'idempotency-key': 'update-1' });
    const consume = { feature: 'exports', property: 'files' };
    const headers = { 'idempotency-key': 'consume-1' };
    const checked = await check(metered.secret, { userIdentifier: who, consume }, { headers });
    const requestOf = (requestId: string) =>
      eventually(
        async () => (await metered.tenant.make<Event>('GET', `/events/${eventIdOf(requestId)}`)).request,
      );
    expect(await requestOf(body.requestId)).toEqual({ ...files(who), idempotencyKey: 'update-1' });
    expect(await requestOf(checked.requestId)).toEqual({
      userIdentifier: who,
      consume: { ...consume, idempotencyKey: 'consume-1' },
    });
  });

  it('is a conflict where its key was used for another request', async () => {
    const who = someone();
    await update(metered.secret, files(who, { idempotencyKey: 'once', by: 1 }));
    const other = await update(metered.secret, files(who, { idempotencyKey: 'once', by: 2 }));
    expect(other).toMatchObject({
      status: 409,
      body: {
        message: 'The idempotencyKey was used for a different request of this customer',
        issues: [{ path: 'idempotencyKey' }],
      },
    });
    expect(
      propertyOf(await check(metered.secret, { userIdentifier: who }), 'exports', 'files'),
    ).toMatchObject({ used: 1 });
  });

  it('counts for one customer whichever spelling of the email address is used', async () => {
    await update(metered.secret, files('Grace@Tests.example', { by: 2 }));
    const answer = await check(metered.secret, { userIdentifier: 'grace@tests.EXAMPLE' });
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 2 });
  });

  it('needs a secret key', async () => {
    expect(await update(metered.open, files('ada'))).toMatchObject({
      status: 403,
      body: { errorType: 'forbidden' },
    });
  });

  it.each([
    ['nobody', { userIdentifier: undefined }, 'userIdentifier'],
    ['two people', { userJwt: 'x' }, 'userJwt'],
    ['a token that nothing verifies', { userIdentifier: undefined, userJwt: 'a.b.c' }, 'userJwt'],
    ['an unknown feature', { feature: 'no-such-feature' }, 'feature'],
    ['an unknown property', { property: 'nothing' }, 'property'],
    ['a property that is not meterable', { property: 'storage' }, 'property'],
    ['half an amount', { by: 1.5 }, 'by'],
    ['too much', { by: 10 ** 12 + 1 }, 'by'],
    ['an amount that is text', { by: '1' }, 'by'],
    ['an amount and a resource', { by: 1, resourceId: 'ada' }, 'resourceId'],
    ['a release of nothing', { release: true }, 'release'],
    ['an empty idempotency key', { idempotencyKey: '' }, 'idempotencyKey'],
    ['a key of 201 characters', { idempotencyKey: 'k'.repeat(201) }, 'idempotencyKey'],
    ['a key with a control character', { idempotencyKey: 'order\u00008840' }, 'idempotencyKey'],
    ['a key that is not well-formed', { idempotencyKey: 'order\ud800' }, 'idempotencyKey'],
    ['a key that shows nothing', { idempotencyKey: '\u200b' }, 'idempotencyKey'],
    ['a resource that shows nothing', { resourceId: ' ' }, 'resourceId'],
    ['a customer with outer white space', { userIdentifier: ' ada' }, 'userIdentifier'],
    ['an unknown property of the body', { amount: 1 }, 'amount'],
  ])('for %s is refused with 400 naming the field, and counts nothing', async (_what, change, path) => {
    const who = someone();
    const { status, body } = await update(metered.secret, { ...files(who), ...change });
    expect(status).toBe(400);
    expect(body.issues?.[0]?.path).toBe(path);
    expect(
      propertyOf(await check(metered.secret, { userIdentifier: who }), 'exports', 'files'),
    ).toMatchObject({ used: 0 });
  });

  it.each(['1e400', '-1e400', 'NaN'])('by %s is refused', async (by) => {
    const { status } = await refusal(metered.secret, {
      text: `{"userIdentifier":"ada","consume":{"feature":"exports","property":"files","by":${by}}}`,
    });
    expect(status).toBe(400);
  });

  it('stays counted when the plan changes, and is measured against the new limit', async () => {
    const own = await meteredTenant();
    await update(own.secret, files('ada', { by: 20 }));
    const [plan] = await own.tenant.make<{ planId: string; currentVersion: number }[]>('GET', '/plans');
    const path = `/plans/${plan?.planId}/versions/${plan?.currentVersion}`;
    const { properties } = await own.tenant.make<{ properties: object }>('GET', path);
    const changed = JSON.parse(JSON.stringify(properties).replace('"limit":50', '"limit":10')) as object;
    await own.tenant.make('PUT', path, { properties: changed });
    await publishAll(own.tenant);
    await expect
      .poll(async () => propertyOf(await check(own.secret, { userIdentifier: 'ada' }), 'exports', 'files'))
      .toMatchObject({ limit: 10, used: 20, allowed: false });
  });
});

describe('consume inside an access check', () => {
  const take = (userIdentifier: string, consume: object) =>
    check(metered.secret, { userIdentifier, consume: { feature: 'exports', property: 'files', ...consume } });

  it('checks and takes in one round trip', async () => {
    const who = someone();
    const answer = await take(who, { by: 4 });
    expect(answer.consumed).toMatchObject({
      accepted: true,
      replayed: false,
      applied: 4,
      used: 4,
      remaining: 46,
    });
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 4 });
  });

  it('takes nothing where it does not fit', async () => {
    const who = someone();
    await take(who, { by: 49 });
    const answer = await take(who, { by: 2 });
    expect(answer.consumed).toMatchObject({ accepted: false, used: 49 });
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 49 });
  });

  it('without a resource is not accepted by a meter of unique resources, and says why', async () => {
    const who = someone();
    await update(metered.secret, seats(who, 'one'));
    for (const more of [{}, { by: 1 }, { idempotencyKey: 'without' }]) {
      const answer = await take(who, { property: 'seats', ...more });
      expect(answer.consumed).toMatchObject({ accepted: false, applied: 0, used: 1 });
      expect(answer.warnings.map(({ code }) => code)).toEqual(['resource-id-missing']);
    }
  });

  it('without a resource is accepted of what is on, and counts nothing where a meter of unique resources is the default', async () => {
    const who = someone();
    const { consumed, warnings } = await take(who, { property: 'chairs' });
    expect(consumed).toMatchObject({ accepted: true, applied: 0, state: 'on', used: 0 });
    expect(warnings.map(({ code }) => code)).toEqual(['resource-id-missing']);
  });

  it('of what is on is always accepted, of what is off never', async () => {
    const who = someone();
    expect((await take(who, { property: 'queries', by: 1000 })).consumed).toMatchObject({
      accepted: true,
      state: 'on',
    });
    const off = await check(metered.secret, {
      consume: { feature: 'exports', property: 'files' },
      userIdentifier: who,
    });
    expect(off.consumed?.accepted).toBe(true);
  });

  it('needs somebody to count for, a secret key and a meterable property', async () => {
    const consume = { feature: 'exports', property: 'files' };
    expect(await refusal(metered.secret, { body: { consume } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'consume' }] },
    });
    expect((await refusal(metered.open, { body: { userIdentifier: 'ada', consume } })).status).toBe(403);
    const unverified = await refusal(metered.secret, { body: { userJwt: 'a.b.c', consume } });
    expect(unverified.body.issues, 'the reason, without what an answer would say of it').toEqual([
      { path: 'userJwt', message: 'No JWT integration is set up' },
    ]);
    const storage = { feature: 'exports', property: 'storage' };
    expect(
      (await refusal(metered.secret, { body: { userIdentifier: 'ada', consume: storage } })).body.issues,
    ).toEqual([expect.objectContaining({ path: 'consume.property' })]);
    const nothing = { ...consume, by: 0 };
    expect(
      (await refusal(metered.secret, { body: { userIdentifier: 'ada', consume: nothing } })).body.issues,
    ).toEqual([expect.objectContaining({ path: 'consume.by' })]);
  });
});

describe('a reading', () => {
  it('is of now by default, and up to a second old where the caller says that this will do', async () => {
    const who = someone();
    const used = async (consistency: string) => {
      const answer = await check(metered.secret, { userIdentifier: who, consistency });
      return (propertyOf(answer, 'exports', 'files') as { used: number }).used;
    };
    expect(await used('bounded')).toBe(0);
    await update(metered.secret, files(who, { by: 5 }));
    expect(await used('local')).toBe(5);
    expect(await used('strict')).toBe(5);
    await expect.poll(() => used('bounded')).toBe(5);
  });

  it('is refreshed for all customers of a ledger object whose readings are in use', async () => {
    const whose = shardOf(someone(), 16);
    const neighbours: string[] = [];
    while (neighbours.length < 3) {
      const who = someone();
      if (shardOf(who, 16) === whose) neighbours.push(who);
    }
    const [ada = '', bob = '', idle = ''] = neighbours;
    const calls: string[] = [];
    const LEDGER = {
      getByName: (...named: Parameters<Env['LEDGER']['getByName']>) =>
        new Proxy(env.LEDGER.getByName(...named), {
          get(stub, method: 'readText' | 'readTexts') {
            calls.push(method);
            return (...sent: Parameters<(typeof stub)['readText']>) =>
              (stub[method] as (typeof stub)['readText'])(...sent);
          },
        }),
    } as unknown as Env['LEDGER'];
    const bindings = { ...env, LEDGER };
    const used = async (userIdentifier: string) => {
      const context = createExecutionContext();
      const request = publicRequest('access-checks', metered.secret, {
        userIdentifier,
        consistency: 'bounded',
      });
      const response = await handlePublicApi(request, bindings, context);
      await waitOnExecutionContext(context);
      return (propertyOf(await response.json(), 'exports', 'files') as { used: number }).used;
    };
    const startedAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startedAt });
    try {
      for (const who of neighbours) expect(await used(who)).toBe(0);
      calls.length = 0;
      vi.setSystemTime(startedAt + 400);
      expect([await used(ada), await used(bob)]).toEqual([0, 0]);
      expect(calls).toEqual([]);
      await update(metered.secret, files(bob, { by: 5 }));
      vi.setSystemTime(startedAt + 1_100);
      expect([await used(ada), await used(bob)]).toEqual([0, 5]);
      expect(calls).toEqual(['readTexts']);
      expect(await used(idle)).toBe(0);
      expect(calls).toEqual(['readTexts', 'readText']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not needed for anonymous sessions, whose meters are unused', async () => {
    const answer = await check(metered.open);
    expect(propertyOf(answer, 'exports', 'files')).toMatchObject({ used: 0, limit: 50 });
  });

  it('leaves nothing stored for a customer that never used a meter', async () => {
    const who = someone();
    await check(metered.secret, { userIdentifier: who });
    await check(metered.secret, { userIdentifier: who });
    const { listDurableObjectIds, runInDurableObject } = await import('cloudflare:test');
    for (const id of await listDurableObjectIds(env.LEDGER)) {
      const dump = await runInDurableObject(env.LEDGER.get(id), (_object, state) =>
        state.storage.sql
          .exec<{ name: string }>(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
          )
          .toArray()
          .map(({ name }) => JSON.stringify(state.storage.sql.exec(`SELECT * FROM "${name}"`).toArray())),
      );
      expect(dump.join()).not.toContain(who);
    }
  });
});

describe('the usage of what is on or off', () => {
  const state = { queries: 'on', faxes: 'off' } as const;

  it.each(['queries', 'faxes'] as const)(
    'is in updates, their events and consumed (%s)',
    async (property) => {
      const who = someone();
      const answer = await update(metered.secret, files(who, { property, by: 5 }));
      const allowed = property === 'queries';
      expect(answer.body.meter).toEqual({ state: state[property], allowed, used: 5 });
      const consume = { feature: 'exports', property, by: 2 };
      const { consumed } = await check(metered.secret, { userIdentifier: who, consume });
      expect(consumed).toMatchObject({ state: state[property], allowed, used: allowed ? 7 : 5 });
      const eventId = eventIdOf(answer.body.requestId);
      const event = await eventually(() => metered.tenant.make<Event>('GET', `/events/${eventId}`));
      expect(event.response).toMatchObject({ meter: { used: 5 } });
    },
  );

  it('is in checks that ask a ledger anyway, and in explanations', async () => {
    const who = someone();
    await update(metered.secret, files(who, { property: 'queries', by: 5 }));
    const answer = await check(metered.secret, { userIdentifier: who });
    expect(propertyOf(answer, 'exports', 'queries')).toEqual({ state: 'on', allowed: true, used: 5 });
    const explained = await check(metered.secret, { userIdentifier: who }, { query: '?explain=1' });
    const usage = explained.explanation?.map(({ property, used }) => [property, used]);
    expect(usage).toContainEqual(['queries', 5]);
    expect(usage).toContainEqual(['faxes', 0]);
    expect(usage).toContainEqual(['storage', undefined]);
    const anonymous = await check(metered.open);
    expect(propertyOf(anonymous, 'exports', 'queries')).toEqual({ state: 'on', allowed: true });
  });
});

describe('the event of a counted update', () => {
  /** Counts with the test's own bindings, and waits for the background work. */
  async function count(
    bindings: Partial<Env>,
    body: unknown,
    path = 'counter-updates',
  ): Promise<{ status: number; eventId: string }> {
    const context = createExecutionContext();
    const request = publicRequest(path, metered.secret, body);
    const response = await handlePublicApi(request, { ...env, ...bindings }, context);
    const { requestId } = (await response.json()) as { requestId: string };
    await waitOnExecutionContext(context);
    return { status: response.status, eventId: requestId.replace('req', 'evt') };
  }

  async function ledgerOf(who: string) {
    const row = await env.DB.prepare(
      'SELECT e.id, ledger_shards AS shards, data_locations AS locations FROM environment e JOIN organization o ON o.id = org_id WHERE e.id = ?',
    )
      .bind(await metered.tenant.previewId())
      .first<{ id: string; shards: number; locations: string }>();
    const { id, shards, locations } = row!;
    const [location] = JSON.parse(locations);
    return ledgerAt(env, { environmentId: id, location, shard: shardOf(who, shards) });
  }

  /**
   * Stops the customer's ledger from delivering events by itself: its alarm is due ten seconds after the oldest event of any test.
   * @returns delivers them, as an alarm does to a stream that has none of them, and what was sent
   */
  async function holdEvents(who: string): Promise<() => Promise<EventBatch[]>> {
    const ledger = await ledgerOf(who);
    const effects = await runInDurableObject(ledger, (object) => {
      const own = object.effects;
      object.effects = { ...own, now: () => 0 };
      return own;
    });
    return () =>
      runInDurableObject(ledger, async (object) => {
        const batches: EventBatch[] = [];
        object.effects = {
          ...effects,
          missing: async (_stream, ids) => ids,
          append: async (batch) => {
            batches.push(batch);
            await effects.append(batch);
          },
          now: () => Date.now() + 120_000,
        };
        await object.alarm();
        object.effects = effects;
        return batches;
      });
  }

  const silent = { getByName: () => ({ appendGroups: () => Promise.reject(new Error('unreachable')) }) };

  it('says the same whether its isolate brings it or its ledger, and is there once', async () => {
    const who = someone();
    const deliver = await holdEvents(who);
    const stream = await eventStreamStub(env, metered.tenant.orgId, undefined);
    const { eventId } = await count({}, files(who, { by: 3, idempotencyKey: 'k' }));
    await expect.poll(() => stream.get(eventId)).not.toBeNull();
    const brought = await stream.get(eventId);
    expect(brought).toMatchObject({ type: 'cu', subjectIdentifier: who, isError: false });
    const batches = await deliver();
    const other = await someStream();
    for (const batch of batches) await other.stub.appendGroups({ ...batch, orgId: other.orgId });
    // Only the isolate knows how long the call took.
    expect(brought).toMatchObject({
      outcome: 'allowed',
      key: { type: 'secret' },
      latency: { total: expect.any(Number) },
    });
    expect(await other.stub.get(eventId)).toEqual({ ...brought, latency: null, isCold: null });
    expect((await stream.search({ limit: 50, text: who })).events).toHaveLength(1);
  });

  it('is recorded even if the isolate could not send it', async () => {
    const who = someone();
    const deliver = await holdEvents(who);
    expectConsole('warn', /event stream did not take events/);
    expectConsole('error', /events queue did not take events/);
    expectConsole('error', /events were lost/);
    await scheduler.wait(500); // No other request's batch may include this event.
    const dead = { EVENT_STREAM: silent, EVENTS_QUEUE: { send: () => Promise.reject(new Error('down')) } };
    const { status, eventId } = await count(dead as unknown as Partial<Env>, files(who));
    expect(status).toBe(200);
    const stream = await eventStreamStub(env, metered.tenant.orgId, undefined);
    expect(await stream.get(eventId)).toBeNull();
    await deliver();
    expect(await stream.get(eventId)).toMatchObject({ id: eventId, subjectIdentifier: who });
  });

  /** A ledger that counts nothing and says why, and what it was sent. */
  function refusing(kind: string) {
    const sent: object[] = [];
    const answerText = async (text: string) => {
      sent.push(JSON.parse(text) as object);
      return JSON.stringify({ kind });
    };
    return { sent, LEDGER: { getByName: () => ({ answerText }) } as unknown as Env['LEDGER'] };
  }

  it('with a key is 503 where the ledger has no room for keys, and no other location is asked', async () => {
    const { sent, LEDGER } = refusing('full');
    const { status } = await count({ LEDGER }, files(someone(), { idempotencyKey: 'k' }));
    expect(status).toBe(503);
    expect(sent).toEqual([expect.not.objectContaining({ wholeOnly: true })]);
  });

  it('of a strict check is 503 where the home location may lack usage, and no other location is asked', async () => {
    const { sent, LEDGER } = refusing('incomplete');
    const consume = { feature: 'exports', property: 'files' };
    const body = { userIdentifier: someone(), consistency: 'strict', consume };
    expect((await count({ LEDGER }, body, 'access-checks')).status).toBe(503);
    expect(sent).toEqual([expect.objectContaining({ wholeOnly: true })]);
  });

  it('is there also when the answer of the ledger was lost, beside that of the refusal', async () => {
    const who = someone();
    const deliver = await holdEvents(who);
    const LEDGER = new Proxy(env.LEDGER, {
      get: (ledgers, name) =>
        name === 'getByName'
          ? (...named: Parameters<Env['LEDGER']['getByName']>) => ({
              answerText: async (text: string, said?: string) => {
                await ledgers.getByName(...named).answerText(text, said);
                throw new Error('the answer was lost');
              },
            })
          : Reflect.get(ledgers, name),
    });
    const { status, eventId } = await count({ LEDGER }, files(who, { by: 4 }));
    expect(status).toBe(503);
    await deliver();
    const stream = await eventStreamStub(env, metered.tenant.orgId, undefined);
    expect(await stream.get(eventId)).toMatchObject({ isError: false, response: { meter: { used: 4 } } });
    await expect.poll(() => stream.get(`${eventId}u`)).toMatchObject({ isError: true });
  });
});
