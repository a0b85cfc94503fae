// OpenFeature's own providers read entitlements: the one for browsers with its SDK, and the library of those for servers with theirs.
import { exports } from 'cloudflare:workers';
import { handleEvaluationError, OFREPApi, toResolutionDetails } from '@openfeature/ofrep-core';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import {
  type EvaluationContext,
  type JsonValue,
  type Provider,
  type ResolutionDetails,
  OpenFeature as Server,
} from '@openfeature/server-sdk';
import { OpenFeature as Web } from '@openfeature/web-sdk';
import { afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest';
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { OfrepError } from '#contracts/public/ofrep';
import type { RefusalCode } from '#contracts/public/refusals';
import { recordedEvent } from '#tests/support/call-events';
import { update } from '#tests/support/counter-updates';
import { type DocumentedWorkspace, documentedWorkspace } from '#tests/support/documented-workspace';
import { canExport, maxDashboards, startOpenFeature } from '../../../examples/guides/openfeature/browser.ts';

const ORIGIN = 'http://localhost:4001';
const ALL = `${ORIGIN}/ofrep/v1/evaluate/flags`;

let workspace: DocumentedWorkspace;
beforeAll(async () => {
  workspace = await documentedWorkspace();
  const counted = { userIdentifier: 'ada@example.com', feature: 'data-exports', property: 'exports', by: 42 };
  await update(workspace.keys.secret, counted);
});
afterEach(async () => {
  await Promise.all([Web.clearProviders(), Server.clearProviders()]);
});

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

async function evaluate(
  key: string,
  body: unknown,
  more: { headers?: object; path?: string; text?: string } = {},
) {
  const response = await exports.default.fetch(
    new Request(`${ALL}${more.path ?? ''}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more.headers },
      body: more.text ?? JSON.stringify(body),
    }),
  );
  const text = await response.text();
  const answer: Sent = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
  return answer;
}

test('the guide’s code for browsers reads verdicts and values of the signed-in user', async () => {
  const fetchHere = (request: Request) =>
    exports.default.fetch(new Request(request.url.replace('https://tessera.example', ORIGIN), request));
  vi.stubGlobal('fetch', fetchHere);
  await startOpenFeature(workspace.keys.public, workspace.token);
  expect([canExport(), maxDashboards()]).toEqual([true, 25]);
  vi.unstubAllGlobals();
});

describe('in a browser', () => {
  /** What the provider sent. */
  let sent: Sent[] = [];

  async function open(headers: [string, string][], context: EvaluationContext) {
    sent = [];
    await Web.setContext(context as never);
    const provider = new OFREPWebProvider({
      baseUrl: ORIGIN,
      headers,
      pollInterval: -1,
      cacheMode: 'disabled',
      fetchImplementation: (async (request: Request) => {
        const response = await exports.default.fetch(request);
        sent.push({ status: response.status, headers: response.headers, body: null });
        return response;
      }) as typeof fetch,
    });
    await Web.setProviderAndWait(provider);
    return Web.getClient();
  }

  it('the web provider reads features, properties and meters of the user of a token', async () => {
    const authorization = `Bearer ${workspace.keys.public}`;
    const client = await open([['Authorization', authorization]], {
      targetingKey: 'ada@example.com',
      userJwt: workspace.token,
    });
    expect(client.getBooleanValue('dashboards', false)).toBe(true);
    expect(client.getNumberValue('dashboards.maxDashboards', 0)).toBe(25);
    expect(client.getStringValue('data-exports.formats', '')).toBe('csv,xlsx');
    expect(client.getObjectValue('data-exports.exports', {})).toEqual({
      allowed: true,
      used: 42,
      limit: 100,
      remaining: 58,
    });
    expect(client.getBooleanDetails('team-seats.guests', false)).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
    });
    expect(client.getBooleanDetails('dark-mode', true)).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect(client.getStringDetails('dashboards.maxDashboards', 'x')).toMatchObject({
      value: 'x',
      errorCode: 'TYPE_MISMATCH',
    });
  });

  it('a public key without a token reads what anonymous sessions have, and the metadata has the warning', async () => {
    const client = await open([['X-API-Key', workspace.keys.public]], { targetingKey: 'ada@example.com' });
    expect(client.getNumberDetails('dashboards.maxDashboards', 0)).toMatchObject({
      value: 3,
      reason: 'DEFAULT',
      flagMetadata: { warnings: 'identifier-needs-secret-key' },
    });
  });

  it('what has not changed is a 304 when the context changes and back', async () => {
    const headers: [string, string][] = [['Authorization', `Bearer ${workspace.keys.secret}`]];
    const client = await open(headers, { targetingKey: 'grace@example.com', page: 'one' });
    await Web.setContext({ targetingKey: 'grace@example.com', page: 'two' });
    expect(sent.map(({ status }) => status)).toEqual([200, 304]);
    expect(client.getNumberValue('dashboards.maxDashboards', 0)).toBe(25);
    await update(workspace.keys.secret, {
      userIdentifier: 'grace@example.com',
      feature: 'data-exports',
      property: 'exports',
    });
    await Web.setContext({ targetingKey: 'grace@example.com', page: 'three' });
    expect(sent.at(-1)?.status).toBe(200);
    expect(client.getObjectValue('data-exports.exports', {})).toMatchObject({ used: 1 });
  });

  it('answers the preflight of any origin, and lets pages read the entity tag', async () => {
    const request = new Request(ALL, { method: 'OPTIONS', headers: { origin: 'https://shop.example' } });
    const { status, headers } = await exports.default.fetch(request);
    expect(status).toBe(204);
    const allowed = (headers.get('access-control-allow-headers') ?? '').split(', ');
    for (const name of ['authorization', 'x-api-key', 'if-none-match', 'content-type']) {
      expect(allowed).toContain(name);
    }
    const answer = await evaluate(workspace.keys.public, {}, { headers: { origin: 'https://shop.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('etag');
  });
});

describe('on a server', () => {
  /** What the providers for servers do with the library that they are made of. */
  class ServerProvider implements Provider {
    readonly metadata = { name: 'ofrep' };
    readonly #api = new OFREPApi(
      { baseUrl: ORIGIN, headers: [['Authorization', `Bearer ${workspace.keys.secret}`]] },
      ((request: Request) => exports.default.fetch(request)) as typeof fetch,
    );

    async #evaluate<T>(key: string, fallback: T, context: EvaluationContext): Promise<ResolutionDetails<T>> {
      const { value } = await this.#api.postEvaluateFlag(key, { context } as never);
      if ('errorCode' in value)
        return handleEvaluationError(value as never, fallback as never) as ResolutionDetails<T>;
      return toResolutionDetails(value as never, fallback as never) as ResolutionDetails<T>;
    }

    resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext) {
      return this.#evaluate(key, fallback, context);
    }
    resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext) {
      return this.#evaluate(key, fallback, context);
    }
    resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext) {
      return this.#evaluate(key, fallback, context);
    }
    resolveObjectEvaluation<T extends JsonValue>(key: string, fallback: T, context: EvaluationContext) {
      return this.#evaluate(key, fallback, context);
    }
  }

  it('a provider reads single flags of any user by targetingKey', async () => {
    await Server.setProviderAndWait(new ServerProvider());
    const client = Server.getClient();
    const ada = { targetingKey: 'ada@example.com' };
    expect(await client.getBooleanValue('dashboards', false, ada)).toBe(true);
    expect(await client.getBooleanValue('dashboards.publicSharing', true, {})).toBe(false);
    expect(await client.getNumberValue('dashboards.maxDashboards', 0, ada)).toBe(25);
    expect(await client.getStringValue('data-exports.formats', '', ada)).toBe('csv,xlsx');
    expect(await client.getObjectDetails('data-exports.exports', {}, ada)).toMatchObject({
      value: { allowed: true, used: 42, limit: 100, remaining: 58 },
      reason: 'TARGETING_MATCH',
      flagMetadata: { isAuthenticated: true },
    });
    for (const key of [
      'dark-mode',
      'dashboards.width',
      'dashboards.',
      'x',
      '__proto__',
      'constructor.name',
    ]) {
      expect(await client.getBooleanDetails(key, true, ada), key).toMatchObject({
        value: true,
        errorCode: 'FLAG_NOT_FOUND',
        flagMetadata: { code: 'flag-unknown' },
      });
    }
    expect(await client.getBooleanDetails('dashboards', true, { targetingKey: ' ada' })).toMatchObject({
      errorCode: 'INVALID_CONTEXT',
      flagMetadata: { code: 'invalid-field' },
    });
  });

  it('errors have the shapes of the protocol', async () => {
    const { secret } = workspace.keys;
    const cases: [Sent, number, Partial<OfrepError>, RefusalCode][] = [
      [await evaluate(secret, {}, { text: '{' }), 400, { errorCode: 'PARSE_ERROR' }, 'body-malformed'],
      [await evaluate(secret, []), 400, { errorCode: 'PARSE_ERROR' }, 'invalid-field'],
      [
        await evaluate(secret, { context: { targetingKey: '' } }),
        400,
        { errorCode: 'TARGETING_KEY_MISSING' },
        'invalid-field',
      ],
      [
        await evaluate(secret, { context: { targetingKey: 5 } }),
        400,
        { errorCode: 'INVALID_CONTEXT' },
        'invalid-field',
      ],
      [await evaluate(secret, { context: 'ada' }), 400, { errorCode: 'INVALID_CONTEXT' }, 'invalid-field'],
      [
        await evaluate(secret, {}, { path: '/no%2Fflag' }),
        404,
        { key: 'no/flag', errorCode: 'FLAG_NOT_FOUND' },
        'flag-unknown',
      ],
      [
        await evaluate('tsr_sec_x', {}, { path: '/dashboards' }),
        401,
        { key: 'dashboards', errorCode: 'GENERAL' },
        'key-malformed',
      ],
    ];
    for (const [{ status, body }, expected, error, code] of cases) {
      expect({ status, body }).toEqual({
        status: expected,
        body: { ...error, errorDetails: expect.any(String), metadata: { code } },
      });
    }
  });

  it('takes any context: what does not fit is left out, with a warning', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`a${index}`, index]));
    const context = { targetingKey: 'fit@example.com', '': 1, big: 'ä'.repeat(2_100), ...attributes };
    const { body, headers } = await evaluate(workspace.keys.secret, { context }, { path: '/dashboards' });
    expect(body).toMatchObject({
      value: true,
      metadata: {
        warnings: 'context-left-out',
        warningDetails:
          'Attributes that do not fit the context were left out: "", "big", "a20", "a21", "a22".',
      },
    });
    const event = await recordedEvent(workspace.tenant, headers.get('x-request-id') ?? '');
    const fitting = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, index]));
    expect(event).toMatchObject({ request: { context: fitting } });
  });

  it('says that a call with a secret key names nobody, and speaks of targetingKey', async () => {
    const { secret, public: open } = workspace.keys;
    expect((await evaluate(secret, {}, { path: '/dashboards' })).body).toMatchObject({
      metadata: { warnings: 'no-targeting-key' },
    });
    const bulk = (await evaluate(open, { context: { targetingKey: 'ada@example.com' } })).body;
    const { flags, metadata } = bulk as { flags: { metadata: object }[]; metadata: object };
    const warned = { warningDetails: expect.stringMatching(/^targetingKey requires a secret key/) };
    expect(metadata).toMatchObject(warned);
    expect(flags[0]?.metadata).toMatchObject(warned);
  });

  it('ignores nested fields of the context, and fields of later versions', async () => {
    const context = { targetingKey: 'ada@example.com', address: { city: 'Berlin' }, tags: ['a'], beta: true };
    const answer = await evaluate(
      workspace.keys.secret,
      { context, eventStreams: true },
      { path: '/dashboards' },
    );
    expect(answer).toMatchObject({ status: 200, body: { key: 'dashboards', value: true } });
  });
});

/**
 * Members that the stock provider of a language reads without a default, of a success and of an error: without them every flag is its
 * default, or the provider throws. From the provider's source.
 */
const READ_WITHOUT_DEFAULT = [
  {
    provider: 'Python: openfeature-provider-ofrep 0.3.0, contrib/provider/ofrep/__init__.py',
    success: ['reason', 'variant'],
    error: ['errorCode', 'errorDetails'],
  },
  {
    provider:
      'Java: dev.openfeature.contrib.providers:ofrep 0.0.2, internal/OfrepResponse.java, Resolver.java',
    success: ['value', 'metadata'],
    error: ['metadata'],
  },
  {
    provider: '.NET: OpenFeature.Providers.Ofrep 0.1.7, Models/OfrepResponse.cs',
    success: ['key', 'value'],
    error: [],
  },
  { provider: 'Go: providers/ofrep, internal/evaluate/resolver.go', success: ['value'], error: [] },
  { provider: 'Rust: open-feature-ofrep, src/resolver.rs', success: ['value'], error: [] },
];

describe('providers of other languages', () => {
  const single = ['dashboards', 'dashboards.maxDashboards', 'data-exports.formats', 'team-seats.seats'];

  it.each(READ_WITHOUT_DEFAULT)('$provider finds what it reads', async ({ success, error }) => {
    const { secret } = workspace.keys;
    const context = { targetingKey: 'ada@example.com' };
    const { flags } = (await evaluate(secret, { context })).body as { flags: object[] };
    const ones = await Promise.all(single.map((key) => evaluate(secret, { context }, { path: `/${key}` })));
    for (const flag of [...flags, ...ones.map(({ body }) => body as object)]) {
      for (const name of success) expect(flag).toHaveProperty([name]);
      expect(Object.values((flag as { metadata: object }).metadata)).not.toContain(null);
    }
    const refused = [
      await evaluate(secret, { context: 'ada' }),
      await evaluate(secret, { context }, { path: '/nothing' }),
      await evaluate('tsr_sec_x', {}, { path: '/dashboards' }),
    ];
    for (const { body } of refused) for (const name of error) expect(body).toHaveProperty([name]);
  });

  it('a variant is on or off, the plan that decides, an override, or default', async () => {
    const { secret } = workspace.keys;
    const variantOf = async (key: string, context: object) => {
      const { body } = await evaluate(secret, { context }, { path: `/${key}` });
      return (body as { variant: string }).variant;
    };
    const ada = { targetingKey: 'ada@example.com' };
    expect(await variantOf('dashboards', ada)).toBe('on');
    expect(await variantOf('dashboards.publicSharing', {})).toBe('off');
    expect(await variantOf('dashboards.maxDashboards', ada)).toBe('team');
    expect(await variantOf('dashboards.maxDashboards', {})).toBe('default');
  });
});

it('each call is an access check: recorded with its subject, counted, limited, also when it is a 304', async () => {
  const { tenant, keys } = workspace;
  const context = { targetingKey: 'lin@example.com', beta: true };
  const first = await evaluate(keys.secret, { context });
  const etag = first.headers.get('etag') ?? '';
  const again = await evaluate(keys.secret, { context }, { headers: { 'if-none-match': etag } });
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
  const left = (answer: Sent) => Number(answer.headers.get('ratelimit-remaining'));
  expect(left(again)).toBe(left(first) - 1);
  for (const { headers } of [first, again]) {
    const event = await recordedEvent(tenant, headers.get('x-request-id') ?? '');
    expect(event).toMatchObject({
      type: 'ac',
      subjectIdentifier: 'lin@example.com',
      request: { userIdentifier: 'lin@example.com', context: { beta: true } },
      response: { status: 'success', features: { dashboards: { allowed: true } } },
    });
  }
  const criteria = encodeURIComponent(JSON.stringify({ range: '1h' }));
  const { customers } = await tenant.make<EventMetrics>('GET', `/event-metrics?criteria=${criteria}`);
  expect(customers).toContainEqual({ identifier: 'lin@example.com', count: 2 });
});

it('a limited key is told when to try again', async () => {
  const { tenant } = workspace;
  const key = await tenant.key(await tenant.previewId());
  await tenant.make('PUT', `/api-keys/${key.id}`, { rateLimit: 60 });
  const call = () => evaluate(key.value, {}, { path: '/dashboards' });
  await expect.poll(async () => (await call()).headers.get('ratelimit-limit')).toBe('60');
  let answer = await call();
  for (let calls = 0; calls < 130 && answer.status !== 429; calls++) answer = await call();
  expect(answer.body).toMatchObject({ key: 'dashboards', errorCode: 'GENERAL' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});
