import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { EventExplanation } from '#contracts/console/event-explanation';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { ErrorBody } from '#contracts/public/errors';
import { eventStreamStub } from '#objects/stubs';
import { check, propertyOf, refusal, send } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { newWorkspace, type SmallWorkspace } from '#tests/support/workspaces';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import type { TestedAccess } from '#worker/domains/access/tries/test-access';

describe('an access check', () => {
  let tenant: Tenant;
  let workspace: SmallWorkspace;
  let live: Environment;
  let version: Artifact;
  let secret: string;
  let open: string;

  beforeAll(async () => {
    tenant = await newTenant();
    workspace = await newWorkspace(tenant, 5);
    const registered = await tenant.make<{ planId: string }>('POST', '/plans', {
      name: 'Registered',
      slug: 'registered',
    });
    await tenant.make('PUT', `/plans/${registered.planId}`, { grantToAuthenticatedUsers: true });
    await tenant.make('PUT', `/plans/${registered.planId}/versions/1`, {
      properties: { [workspace.feature.id]: [{ id: workspace.seats.id, type: 'number', value: 50 }] },
    });
    version = await tenant.make<Artifact>('POST', '/artifacts', {});
    live = await tenant.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
    await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
    secret = (await tenant.key(live.id, 'secret')).value;
    open = (await tenant.key(live.id, 'public')).value;
    await publishAll(tenant);
  });

  it('without an identifier answers for an anonymous session', async () => {
    const answer = await check(open);
    expect(answer).toMatchObject({
      status: 'success',
      version: { artifactId: version.id, number: 1 },
      identity: { isAuthenticated: false, method: 'anonymous' },
      customer: { isCustomer: false, plans: ['starter'] },
      features: { 'team-seats': { properties: { enabled: true, seats: 5 } } },
      warnings: [],
    });
    expect(answer.requestId).toMatch(/^req_/);
    expect(answer.validUntil - answer.asOf).toBe(60_000);
  });

  it('with an identifier and a secret key answers for a registered user', async () => {
    const answer = await check(secret, { userIdentifier: 'ada@example.com' });
    expect(answer.identity).toEqual({ isAuthenticated: true, method: 'identifier' });
    expect(answer.customer).toEqual({ isCustomer: false, plans: ['registered'] });
    expect(propertyOf(answer, 'team-seats', 'seats')).toBe(50);
  });

  it('with an identifier and a public key answers for an anonymous session and says why', async () => {
    const answer = await check(open, { userIdentifier: 'ada@example.com' });
    expect(answer.identity.isAuthenticated).toBe(false);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['identifier-needs-secret-key']);
  });

  it('with a token that nothing can verify answers for an anonymous session and says why', async () => {
    const answer = await check(secret, { userJwt: 'eyJhbGciOiJub25lIn0.e30.' });
    expect(answer.identity.method).toBe('anonymous');
    expect(answer.warnings.map(({ code }) => code)).toEqual(['jwt-integration-missing']);
  });

  it('answers for the features asked for, and warns of those that do not exist', async () => {
    const answer = await check(open, { features: ['no-such-feature', 'constructor'] });
    expect(answer.features).toEqual({});
    expect(answer.warnings.map(({ code }) => code)).toEqual(['feature-unknown', 'feature-unknown']);
    expect(Object.keys((await check(open, { features: ['team-seats'] })).features)).toEqual(['team-seats']);
  });

  it('explains to secret keys, and to no others, what decided each value', async () => {
    const explained = (await check(secret, {}, { query: '?explain=1' })) as AccessCheckAnswer & {
      explanation: unknown[];
    };
    expect(explained.explanation).toContainEqual(
      expect.objectContaining({ feature: 'team-seats', property: 'seats', decidedBy: ['starter'] }),
    );
    const plain = await check(open, {}, { query: '?explain=1' });
    expect(plain).not.toHaveProperty('explanation');
    expect(plain.warnings.map(({ code }) => code)).toEqual(['explain-needs-secret-key']);
  });

  it('carries its request id, its timing and, for pages of any origin, open CORS on the answer', async () => {
    const response = await send(open, { headers: { origin: 'https://shop.example' } });
    const answer = (await response.json()) as AccessCheckAnswer;
    expect(response.headers.get('x-request-id')).toBe(answer.requestId);
    expect(response.headers.get('server-timing')).toMatch(
      /^auth;dur=[\d.]+, snapshot;dur=[\d.]+, ledger;dur=[\d.]+, evaluate;dur=[\d.]+$/,
    );
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id');
  });

  it('is refused with 401 in the envelope for a missing, mistyped, unknown or foreign key', async () => {
    const mistyped = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;
    const stranger = await newTenant();
    const theirs = (await stranger.key(await stranger.previewId())).value;
    const swapped = theirs.slice(0, 8) + secret.slice(8, 34) + theirs.slice(34);
    const typeChanged = secret.replace('tsr_sec_', 'tsr_pub_');
    for (const key of [null, '', 'nonsense', mistyped, swapped, typeChanged]) {
      const { status, body, headers } = await refusal(key, { headers: { origin: 'https://shop.example' } });
      expect(status).toBe(401);
      expect(body).toMatchObject({
        status: 'error',
        errorType: 'unauthenticated',
        requestId: expect.stringMatching(/^req_/),
      });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('of one environment is never answered with the key of another', async () => {
    const previewKey = (await tenant.key(await tenant.previewId())).value;
    await publishAll(tenant);
    await workspace.setSeats(99);
    await publishAll(tenant);
    await expect.poll(async () => propertyOf(await check(previewKey), 'team-seats', 'seats')).toBe(99);
    expect(propertyOf(await check(open), 'team-seats', 'seats')).toBe(5);
  });

  it.each([
    ['no JSON', { text: '{"userIdentifier":' }, ''],
    ['no object', { text: '[1]' }, ''],
    ['nothing where an object belongs', { text: 'null' }, ''],
    ['an unknown property', { body: { user: 'ada' } }, 'user'],
    ['a wrong type', { body: { userIdentifier: 7 } }, 'userIdentifier'],
    ['an empty identifier', { body: { userIdentifier: '' } }, 'userIdentifier'],
    ['an identifier of 201 characters', { body: { userIdentifier: 'x'.repeat(201) } }, 'userIdentifier'],
    ['a control character', { body: { userIdentifier: 'a\u0000b' } }, 'userIdentifier'],
    ['outer white space', { body: { userIdentifier: 'jane@example.com ' } }, 'userIdentifier'],
    ['nothing visible', { body: { userIdentifier: '\u200b\ufeff' } }, 'userIdentifier'],
    ['a Kelvin sign', { body: { userIdentifier: '\u212aate@example.com' } }, 'userIdentifier'],
    ['both identifiers', { body: { userIdentifier: 'a', userJwt: 'b' } }, 'userJwt'],
    ['a hostile slug', { body: { features: ['__proto__'] } }, 'features.0'],
    ['a hostile key', { text: '{"__proto__":{"isAdmin":true}}' }, '__proto__'],
    ['an escaped hostile key', { text: '{"\\u005f_proto__":{"isAdmin":true}}' }, '__proto__'],
    ['a hostile key, escaped elsewhere', { text: '{"__\\u0070roto__":{"isAdmin":true}}' }, '__proto__'],
    ['nesting without end', { text: `${'['.repeat(30_000)}${']'.repeat(30_000)}` }, ''],
    ['brackets that nobody closes', { text: '['.repeat(60_000) }, ''],
    ['brackets without end', { text: `{"features":[${'[],'.repeat(20_000)}[]]}` }, ''],
    ['entries without end', { text: `{"features":[${'0,'.repeat(30_000)}0]}` }, ''],
  ])('with %s is refused with 400 naming the field', async (_what, options, path) => {
    const { status, body } = await refusal(secret, options);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', errorType: 'invalid-request' });
    expect(body.issues?.[0]?.path).toEqual(path);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('with a property of an endless name is refused without repeating it', async () => {
    const { status, body } = await refusal(secret, { body: { ['x'.repeat(60_000)]: 1 } });
    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(1_000);
  });

  it('with brackets in its texts is answered', async () => {
    const brackets = '[{"'.repeat(60);
    expect((await check(secret, { userIdentifier: brackets })).identity.isAuthenticated).toBe(true);
  });

  it.each([
    ['text/plain', 'text/plain'],
    ['text/plain;charset=UTF-8', 'text/plain'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=application/json', 'multipart/form-data'],
    ['application/jsonp', 'application/jsonp'],
  ])('sent as %s is refused with 415 naming the type', async (type, name) => {
    const { status, body } = await refusal(secret, { headers: { 'content-type': type } });
    expect([status, body.errorType]).toEqual([415, 'unsupported-media-type']);
    expect(body.issues).toEqual([{ path: 'Content-Type', message: `Must be application/json, not ${name}` }]);
  });

  it.each([
    ['content-type', 'application/json; charset=iso-8859-1', 'Must be in UTF-8, not iso-8859-1'],
    ['content-type', 'application/json;v=1; Charset="UTF-16"', 'Must be in UTF-8, not utf-16'],
    ['content-encoding', 'gzip', 'Must be sent uncompressed, not as gzip'],
    ['content-encoding', 'br', 'Must be sent uncompressed, not as br'],
  ])('sent with the %s %s is refused with 415 naming the header', async (name, value, message) => {
    const { status, body } = await refusal(secret, { headers: { [name]: value } });
    expect([status, body.errorType]).toEqual([415, 'unsupported-media-type']);
    expect(body.issues).toEqual([{ path: expect.stringMatching(new RegExp(`^${name}$`, 'i')), message }]);
  });

  const named = (...bytes: number[]) =>
    Uint8Array.from(
      [...'{"userIdentifier":"m#ller"}'].flatMap((character) =>
        character === '#' ? bytes : character.charCodeAt(0),
      ),
    );

  it.each([
    ['Latin 1', [0xfc]],
    ['an overlong form', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a cut character of three bytes', [0xe2, 0x82]],
    ['a cut character of four bytes', [0xf0, 0x9f]],
    ['U+FFFD and Latin 1', [0xef, 0xbf, 0xbd, 0xf6]],
  ])('in %s is refused as not UTF-8, whether or not its length is announced', async (_, bytes) => {
    const { status, body } = await refusal(secret, { text: named(...bytes) });
    expect([status, body.issues]).toEqual([400, [{ path: '', message: 'The body is not valid UTF-8' }]]);
    const request = new Request('http://localhost:4001/api/v1/access-checks', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: new Blob([named(...bytes)]).stream(),
    });
    expect((await exports.default.fetch(request)).status).toBe(400);
  });

  it('may name U+FFFD, the character that replaces what is not UTF-8', async () => {
    const { status } = await refusal(secret, { text: named(0xef, 0xbf, 0xbd) });
    expect(status).toBe(200);
  });

  it('sent as JSON with parameters, without a type, or without a body is answered', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/json; charset="UTF-8"',
      'Application/JSON',
    ]) {
      expect((await send(secret, { headers: { 'content-type': type } })).status).toBe(200);
    }
    const headers = { authorization: `Bearer ${secret}` };
    for (const init of [
      { headers, body: new Blob(['{}']).stream() },
      { headers: { ...headers, 'content-type': 'text/plain' } },
    ]) {
      const request = new Request('http://localhost:4001/api/v1/access-checks', { method: 'POST', ...init });
      expect((await exports.default.fetch(request)).status).toBe(200);
    }
  });

  it('is recorded without its body when it is refused, and with it when it is answered', async () => {
    const { body: refused } = await refusal(secret, { body: { userIdentifier: 'eve', unknown: 'x' } });
    const answered = await check(secret, { userIdentifier: 'eve' });
    const stream = await eventStreamStub(env, tenant.orgId, undefined);
    const eventOf = (requestId: string) => stream.get(`evt${requestId.slice('req'.length)}`);
    await expect
      .poll(() => eventOf(answered.requestId))
      .toMatchObject({ request: { userIdentifier: 'eve' } });
    await expect.poll(() => eventOf(refused.requestId)).toMatchObject({ isError: true, request: null });
  });

  it('is recorded with its key, its timing, its outcome and whether it was the first', async () => {
    const stream = await eventStreamStub(env, tenant.orgId, undefined);
    const eventOf = async ({ requestId }: { requestId: string }) => {
      const id = `evt${requestId.slice('req'.length)}`;
      await expect.poll(() => stream.get(id)).not.toBeNull();
      return stream.get(id);
    };
    const environment = await tenant.make<Environment>('POST', '/environments', {
      name: 'Another',
      type: 'test',
    });
    await tenant.make('PUT', `/deployments/${environment.id}/artifact`, { artifactId: version.id });
    const key = await tenant.key(environment.id, 'public');
    await publishAll(tenant);
    const first = await eventOf(await check(key.value));
    expect(first).toMatchObject({
      environmentType: 'test',
      key: { id: key.id, type: 'public' },
      isCold: true,
      outcome: 'allowed',
      warningCodes: [],
      deniedFeatures: [],
      denials: [],
    });
    const { total, auth, snapshot, ledger, evaluate } = first!.latency!;
    expect(total).toBeGreaterThanOrEqual(snapshot);
    for (const part of [auth, snapshot, ledger, evaluate]) expect(part).toBeGreaterThanOrEqual(0);
    const second = await eventOf(await check(key.value, { features: ['team-seats', 'no-such-feature'] }));
    expect(second).toMatchObject({ isCold: false, outcome: 'warning', warningCodes: ['feature-unknown'] });
    const { body } = await refusal(key.value, { body: { features: 5 } });
    expect(await eventOf(body)).toMatchObject({ outcome: 'error', key: { id: key.id }, isCold: false });
  });

  it('is explained from its event, beside what it would answer now, as long as there is a now', async () => {
    const doomed = await tenant.make<Environment>('POST', '/environments', {
      name: 'Fleeting',
      type: 'test',
    });
    await tenant.make('PUT', `/deployments/${doomed.id}/artifact`, { artifactId: version.id });
    const key = await tenant.key(doomed.id);
    await publishAll(tenant);
    const known = await check(key.value, { userIdentifier: 'eve@example.com', features: ['team-seats'] });
    const anonymous = await check(key.value);
    const explain = ({ requestId }: AccessCheckAnswer) =>
      eventually(() => tenant.make<EventExplanation>('GET', `/events/${eventIdOf(requestId)}/explanation`));
    const seats = ({ properties }: EventExplanation) =>
      properties.find(({ property }) => property === 'seats');
    const explained = await explain(known);
    expect(explained.version).toEqual({ artifactId: version.id, number: 1 });
    expect(seats(explained)).toMatchObject({
      recorded: { value: 50, decidedBy: ['registered'] },
      now: { value: 50, decidedBy: ['registered'] },
      isChanged: false,
    });
    expect(seats(await explain(anonymous))).toMatchObject({ recorded: { value: 5, decidedBy: ['starter'] } });

    expect((await tenant.call('DELETE', `/environments/${doomed.id}`)).status).toBe(204);
    const left = await explain(known);
    expect(left.now).toBeNull();
    expect(seats(left)).toMatchObject({
      recorded: { decidedBy: ['registered'] },
      now: null,
      isChanged: false,
    });
  });

  it('that was refused, or never made, has no explanation', async () => {
    const { body } = await refusal(secret, { body: { features: [] } });
    const path = `/events/${eventIdOf(body.requestId)}`;
    await eventually(() => tenant.make('GET', path));
    expect((await tenant.call('GET', `${path}/explanation`)).status).toBe(404);
    expect((await tenant.call('GET', '/events/evt_none/explanation')).status).toBe(404);
  });

  it('with a body beyond 64 KiB is refused with 413, announced or not', async () => {
    const text = JSON.stringify({ userIdentifier: 'x'.repeat(64 * 1024) });
    expect((await refusal(secret, { text })).status).toBe(413);
    const response = await exports.default.fetch(
      new Request('http://localhost:4001/api/v1/access-checks', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: new Blob([text]).stream(),
      }),
    );
    expect(response.status).toBe(413);
    expect(((await response.json()) as { errorType: string }).errorType).toBe('payload-too-large');
  });

  it('on another path is refused with 404 in the envelope', async () => {
    for (const [method, path] of [
      ['GET', 'access-check'],
      ['POST', 'access-check'],
      ['POST', '../v1/none'],
    ] as const) {
      const response = await exports.default.fetch(
        new Request(`http://localhost:4001/api/v1/${path}`, { method }),
      );
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ status: 'error', errorType: 'not-found' });
    }
  });

  it('follows a deploy, and a rollback, within five seconds', async () => {
    await workspace.setSeats(7);
    const next = await tenant.make<Artifact>('POST', '/artifacts', {});
    expect(propertyOf(await check(open), 'team-seats', 'seats')).toBe(5);
    await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: next.id });
    await expect.poll(async () => propertyOf(await check(open), 'team-seats', 'seats')).toBe(7);
    await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
    await expect.poll(async () => propertyOf(await check(open), 'team-seats', 'seats')).toBe(5);
  });

  it('works with a new key at once, and no longer with a revoked one after five seconds', async () => {
    const key = await tenant.key(live.id, 'secret');
    await expect.poll(async () => (await send(key.value)).status).toBe(200);
    expect((await tenant.call('DELETE', `/api-keys/${key.id}`)).status).toBe(204);
    await expect.poll(async () => (await send(key.value)).status).toBe(401);
    expect((await send(secret)).status).toBe(200);
  });

  it('of an environment with nothing deployed answers with no features and says why', async () => {
    const empty = await tenant.make<Environment>('POST', '/environments', { name: 'Empty', type: 'test' });
    const key = await tenant.key(empty.id);
    await publishAll(tenant);
    const answer = await check(key.value);
    expect(answer).toMatchObject({ version: null, features: {} });
    expect(answer.warnings.map(({ code }) => code)).toEqual(['nothing-deployed']);
  });

  it('of a deleted environment is refused within five seconds', async () => {
    const doomed = await tenant.make<Environment>('POST', '/environments', { name: 'Doomed', type: 'test' });
    const key = await tenant.key(doomed.id);
    await publishAll(tenant);
    expect((await send(key.value)).status).toBe(200);
    expect((await tenant.call('DELETE', `/environments/${doomed.id}`)).status).toBe(204);
    await expect.poll(async () => (await send(key.value)).status).toBe(401);
  });

  it('beyond its limit of calls a minute is refused with 429, and not recorded', async () => {
    const limited = await tenant.key(live.id, 'secret');
    const other = await tenant.key(live.id, 'secret');
    await tenant.make('PUT', `/api-keys/${limited.id}`, { rateLimit: 60 });
    const limitOf = async () => (await send(limited.value)).headers.get('ratelimit-limit');
    await expect.poll(limitOf).toBe('60');
    const hammer = async () => {
      for (let call = 0; call < 130; call++) {
        const answer = await refusal(limited.value, {});
        if (answer.status === 429) return answer;
      }
      throw new Error('The limit was not reached');
    };
    const { body, headers } = await hammer();
    expect(body).toMatchObject({ status: 'error', errorType: 'rate-limited', code: 'too-many-calls' });
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'));
    const answered = await send(other.value);
    expect(answered.status).toBe(200);
    expect(Number(answered.headers.get('ratelimit-remaining'))).toBeGreaterThan(500_000);

    const stream = await eventStreamStub(env, tenant.orgId, undefined);
    const eventOf = (requestId: string) => stream.get(`evt${requestId.slice('req'.length)}`);
    const { requestId } = (await answered.json()) as AccessCheckAnswer;
    await expect.poll(() => eventOf(requestId)).not.toBeNull();
    expect(await eventOf(body.requestId)).toBeNull();
  });

  it('of a blocked organisation is refused with 429 and Retry-After', async () => {
    const blocked = await newTenant();
    const key = await blocked.key(await blocked.previewId());
    await env.DB.prepare(
      "UPDATE organization SET block_reason = 'The monthly allowance is reached' WHERE id = ?",
    )
      .bind(blocked.orgId)
      .run();
    await env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE org_id = ?')
      .bind(blocked.orgId)
      .run();
    await newWorkspace(blocked);
    await publishAll(blocked);
    await expect.poll(async () => (await send(key.value)).status).toBe(429);
    const { body, headers } = await refusal(key.value, {});
    expect(body).toMatchObject({
      errorType: 'usage-blocked',
      code: 'allowance-used-up',
      message: 'The monthly allowance is reached',
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-limit')).toBe('100000');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(headers.get('ratelimit-reset')).toBe(headers.get('retry-after'));
  });
});

describe("the console's test check", () => {
  it('answers as the preview environment does, and says what decided each value', async () => {
    const tenant = await newTenant();
    const workspace = await newWorkspace(tenant, 5);
    await publishAll(tenant);
    const test = (request: unknown, apiKeyType = 'secret') =>
      tenant.call<TestedAccess & ErrorBody>('POST', '/envs/preview/access-checks', { request, apiKeyType });

    const { status, body } = await test({});
    expect(status).toBe(200);
    expect(body.response).toMatchObject({
      status: 'success',
      customer: { isCustomer: false, plans: ['starter'] },
    });
    expect(body.diagnostics).toMatchObject({
      storeData: { customerData: { isCustomer: false } },
      plans: ['starter'],
    });
    expect(body.diagnostics.explanation).toContainEqual(
      expect.objectContaining({
        feature: workspace.feature.slug,
        property: 'seats',
        value: 5,
        decidedBy: ['starter'],
      }),
    );
    expect((await test({ userIdentifier: 'ada' }, 'public')).body.response.warnings).toHaveLength(1);
    expect(await test({ userIdentifier: 7 })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'request.userIdentifier' }] },
    });
    expect((await test({}, 'both')).body.issues?.[0]?.path).toBe('apiKeyType');
  });
});
