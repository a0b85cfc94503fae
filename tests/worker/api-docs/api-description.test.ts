// The description of the public API says what the Worker does: its own examples are sent, and answered as it says.

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { Validator } from '@cfworker/json-schema';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerAnswer } from '#contracts/public/customer-ledger';
import {
  type DocumentedExample,
  type DocumentedOperation,
  type OpenApiDocument,
  type PathItem,
  resolveParts,
} from '#contracts/public/openapi';
import { formatApiKey } from '#engine/identity/api-key';
import { monthOf } from '#engine/usage/calendar';
import { anonymously } from '#tests/support/accounts';
import { type DocumentedWorkspace, documentedWorkspace } from '#tests/support/documented-workspace';
import { expectConsole } from '#tests/support/expect-console';
import { newTenant, publishAll } from '#tests/support/tenants';
import { TOKEN } from '#worker/domains/api-docs/example-shapes';
import { HOLD_ID } from '#worker/domains/api-docs/hold-examples';
import { USAGE_BLOCK_REASON } from '#worker/domains/billing/usage-block';
import type { Env } from '#worker/env';
import worker from '#worker/index';

const PATH = '/api/v1/openapi.json';
const CHECKS = '/api/v1/access-checks';
const CHECKS_BATCH = `${CHECKS}/batch`;
const UPDATES = '/api/v1/counter-updates';
const BATCH = `${UPDATES}/batch`;
const HOLDS = '/api/v1/holds';
const PLANS = '/api/v1/plans';
const FLAGS = '/ofrep/v1/evaluate/flags';
const FLAG = `${FLAGS}/{key}`;

let description: OpenApiDocument;
let workspace: DocumentedWorkspace;

beforeAll(async () => {
  description = resolveParts(await (await anonymously(PATH)).json<OpenApiDocument>());
  workspace = await documentedWorkspace();
});

describe('the description', () => {
  it('is public, cacheable, and readable from any origin', async () => {
    const answer = await anonymously(PATH);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await answer.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: env.BASE_URL }] });
  });

  it('is not sent again to a client with the current entity tag', async () => {
    const tag = (await anonymously(PATH)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await anonymously(PATH, { headers: { 'if-none-match': known } });
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe(tag);
      expect(await answer.text()).toBe('');
    }
    expect((await anonymously(PATH, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('supports HEAD without a body, and no other method', async () => {
    const head = await anonymously(PATH, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await anonymously(PATH, { method })).status).toBe(405);
    }
  });
});

/** @param path with its parameters written {name} */
function operationAt(method: string, path: string): DocumentedOperation | undefined {
  return description.paths[path]?.[method.toLowerCase() as keyof PathItem];
}

/** Sends a documented request, with what goes along with it. */
async function send(
  path: string,
  {
    value,
    'x-key': key = 'secret',
    'x-query': query,
    'x-headers': headers,
    'x-path': own,
  }: Omit<DocumentedExample, 'summary'>,
  more: { authorization?: string; text?: string; env?: Env; method?: string } = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const { method = 'POST' } = more;
  const request = new Request(
    `http://localhost:4001${own ?? path}${query === undefined ? '' : `?${query}`}`,
    {
      method,
      headers: {
        'content-type': 'application/json',
        origin: 'https://shop.example',
        authorization: more.authorization ?? `Bearer ${workspace.keys[key]}`,
        ...headers,
      },
      ...(more.text === undefined && value === undefined ? {} : { body: more.text ?? JSON.stringify(value) }),
    },
  );
  if (more.authorization === '') request.headers.delete('authorization');
  const context = createExecutionContext();
  const response =
    more.env === undefined
      ? await exports.default.fetch(request)
      : await worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, more.env, context);
  const body: unknown = response.status === 304 ? null : await response.json();
  const answer = { status: response.status, body, headers: response.headers };
  await waitOnExecutionContext(context);
  expectDocumented(method, path, answer);
  return answer;
}

/** Body and headers are as the description says, with no field or header that it does not tell of. */
function expectDocumented(
  method: string,
  path: string,
  answer: { status: number; body: unknown; headers: Headers },
): void {
  const response = operationAt(method, path)?.responses[answer.status];
  if (response === undefined) throw new Error(`${path} ${answer.status} is not documented`);
  const schema = response.content?.['application/json'].schema;
  if (schema !== undefined) {
    const root = { allOf: [schema], unevaluatedProperties: false, components: description.components };
    const { valid, errors } = new Validator(root as object, '2020-12', false).validate(answer.body);
    expect(valid, JSON.stringify([errors, answer.body], null, 1)).toBe(true);
  }
  for (const [name, header] of Object.entries(response.headers)) {
    const value = answer.headers.get(name);
    if (value === null) expect(header.required, name).not.toBe(true);
    else expect(new Validator(header.schema as object).validate(value).valid, `${name}: ${value}`).toBe(true);
  }
  const told = Object.keys(response.headers).map((name) => name.toLowerCase());
  const unknown = [...answer.headers.keys()].filter(
    (name) => !/^content-/.test(name) && !told.includes(name),
  );
  expect(unknown).toEqual([]);
}

/** Without what no two answers have in common. */
function comparable(answer: unknown): unknown {
  const varying = new Set(['requestId', 'asOf', 'validUntil', 'resetsAt', 'expiresAt', 'version']);
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (varying.has(key) && value !== null ? '*' : value)),
  );
}

describe('its examples get the documented responses', () => {
  const examplesOf = (path: string) =>
    operationAt('POST', path)!.requestBody!.content['application/json'].examples;
  const answerOf = (path: string, name: string) =>
    operationAt('POST', path)!.responses['200']!.content!['application/json'].examples[name]!.value;

  const spend = (by: number) =>
    send(UPDATES, {
      value: { userIdentifier: 'ada@example.com', feature: 'data-exports', property: 'exports', by },
    });

  /** A token that the workspace's issuer signed, in place of the documented one. */
  function withToken(name: string, example: DocumentedExample): DocumentedExample {
    const text = JSON.stringify(example.value);
    if (!text.includes(TOKEN)) return example;
    const token = name === 'tokenExpired' ? workspace.expiredToken : workspace.token;
    return { ...example, value: JSON.parse(text.replace(TOKEN, token)) as unknown };
  }

  it('in order, for a customer with the usage that they assume', async () => {
    await spend(42);
    for (const resourceId of ['one', 'two', 'three', 'four']) {
      await send(UPDATES, {
        value: { userIdentifier: 'ada@example.com', feature: 'team-seats', property: 'seats', resourceId },
      });
    }
    const before = new Map([['limitReached', 57]]);
    const after = new Map([['limitReached', -58]]);
    for (const path of [CHECKS, CHECKS_BATCH, UPDATES, BATCH, FLAGS, FLAG]) {
      for (const [name, example] of Object.entries(examplesOf(path))) {
        if (before.has(name)) await spend(before.get(name)!);
        const { status, body } = await send(path, withToken(name, example));
        expect(status, name).toBe(200);
        expect(comparable(body), name).toEqual(comparable(answerOf(path, name)));
        if (after.has(name)) await spend(after.get(name)!);
      }
    }
  });
});

describe('its examples about holds get the documented responses', () => {
  it('in the order of a hold’s life', async () => {
    const who = { userIdentifier: 'ada@example.com', feature: 'data-exports', property: 'exports' };
    const read = await send(UPDATES, { value: { ...who, by: 0 } });
    const { used } = (read.body as { meter: { used: number } }).meter;
    await send(UPDATES, { value: { ...who, by: 45 - used } });
    let id = HOLD_ID;
    const real = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll(HOLD_ID, id)) as Value;
    const play = async (path: string, names: readonly string[]) => {
      const { requestBody, responses } = operationAt('POST', path)!;
      for (const name of names) {
        const example = requestBody!.content['application/json'].examples[name]!;
        const { status, body } = await send(path, real(example));
        const made = (body as { hold: { id: string } | null }).hold;
        if (path === HOLDS && made !== null) id = made.id;
        expect(status, name).toBe(200);
        const { value } = responses['200']!.content!['application/json'].examples[name]!;
        expect(comparable(body), name).toEqual(comparable(real(value)));
      }
    };
    await play(HOLDS, ['hold', 'refused']);
    const first = id;
    await play(HOLDS, ['orLess']);
    await send(`${HOLDS}/{hold}/settle`, { 'x-path': `${HOLDS}/${id}/settle`, value: { amount: 0 } });
    id = first;
    await play(`${HOLDS}/{hold}/extend`, ['extend', 'longer']);
    await play(`${HOLDS}/{hold}/settle`, ['settle', 'again']);
    expect([HOLDS, `${HOLDS}/{hold}/extend`, `${HOLDS}/{hold}/settle`].flatMap(examplesOf)).toHaveLength(7);
    const other = await send(`${HOLDS}/{hold}/settle`, {
      'x-path': `${HOLDS}/${id}/settle`,
      value: { amount: 9 },
    });
    const over = await send(`${HOLDS}/{hold}/extend`, { 'x-path': `${HOLDS}/${id}/extend`, value: {} });
    const nothing = await send(HOLDS, { value: { ...who, amount: 0 } });
    const seats = { ...who, feature: 'team-seats', property: 'seats' };
    const resources = await send(HOLDS, { value: { ...seats, amount: 1 } });
    const unknown = await send(`${HOLDS}/{hold}/settle`, {
      'x-path': `${HOLDS}/hold_1/settle`,
      value: { amount: 9 },
    });
    const needsSecretKey = await send(HOLDS, { value: { ...who, amount: 1 }, 'x-key': 'public' });
    for (const [path, name, { status, body }] of [
      [`${HOLDS}/{hold}/settle`, 'settled', other],
      [`${HOLDS}/{hold}/settle`, 'holdUnknown', unknown],
      [`${HOLDS}/{hold}/extend`, 'over', over],
      [HOLDS, 'nothing', nothing],
      [HOLDS, 'resources', resources],
      [HOLDS, 'needsSecretKey', needsSecretKey],
    ] as const) {
      const examples = operationAt('POST', path)?.responses[status]?.content?.['application/json'].examples;
      expect(comparable(body), name).toEqual(comparable(examples?.[name]?.value));
    }
  });

  const examplesOf = (path: string) =>
    Object.keys(operationAt('POST', path)!.requestBody!.content['application/json'].examples);
});

describe('its examples about customers get the documented responses', () => {
  it('in the order of a customer’s life', async () => {
    const calls = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
    const order = [
      'saveCustomer',
      'grantPlan',
      'setOverride',
      'correctMeter',
      'removeOverride',
      'revokePlan',
      'changeCustomers',
    ];
    for (const id of order) {
      const { method, path, operation } = calls.find((each) => each.operation.operationId === id)!;
      const examples = operation.requestBody?.content['application/json'].examples ?? operation['x-examples'];
      for (const [name, example] of Object.entries(examples ?? {})) {
        const { status, body } = await send(path, example, { method });
        expect(status, `${id} ${name}`).toBe(200);
        const { value } = operation.responses['200']!.content!['application/json'].examples[name]!;
        expect(comparable(body), `${id} ${name}`).toEqual(comparable(value));
      }
    }
    const { path, operation } = calls.find((each) => each.operation.operationId === 'readCustomer')!;
    const answer = await send(path, operation['x-examples']!.read!, { method: 'GET' });
    expect(answer.body).toMatchObject({ customer: { id: 'acme-42', name: 'Acme Holding' } });
    const named = (id: string) => calls.find((each) => each.operation.operationId === id)!;
    const give = named('setBalance');
    const { examples } = give.operation.requestBody!.content['application/json'];
    await send(give.path, examples.give!, { method: 'PUT' });
    const ledger = named('readLedger');
    const read = await send(ledger.path, ledger.operation['x-examples']!.read!, { method: 'GET' });
    const { value } = ledger.operation.responses['200']!.content!['application/json'].examples.read!;
    const [line] = (value as LedgerAnswer).lines;
    const given = { ...line, at: expect.any(Number) };
    expect(read.body).toEqual({
      ...{ status: 'success', requestId: expect.any(String), usageFrom: null, nextCursor: null },
      lines: [given, expect.objectContaining({ kind: 'corrected', amount: 5 })],
    });
  });
});

describe('its example of public plans', () => {
  it('gets the documented response, and a 304 with its entity tag', async () => {
    const { responses, 'x-examples': examples } = operationAt('GET', PLANS)!;
    const answer = await send(PLANS, examples!.plans!, { method: 'GET' });
    const { value } = responses['200']!.content!['application/json'].examples.plans!;
    expect(comparable(answer.body)).toEqual(comparable(value));
    const known = { 'x-headers': { 'if-none-match': answer.headers.get('etag') ?? '' } };
    expect((await send(PLANS, known, { method: 'GET' })).status).toBe(304);
    const { body } = await send(PLANS, {}, { method: 'GET', authorization: '' });
    const refused = responses['401']!.content!['application/json'].examples.keyMissing!;
    expect(comparable(body)).toEqual(comparable(refused.value));
  });
});

describe('its errors are the ones that the Worker returns', () => {
  const USER = { userIdentifier: 'ada@example.com' };
  const TAKE = { feature: 'data-exports', property: 'exports' };
  const broken = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('Cut off');
      },
    },
  ) as never;

  function expectRefusal(
    path: string,
    name: string,
    { status, body }: { status: number; body: unknown },
    method = 'POST',
  ): void {
    const example = operationAt(method, path)?.responses[status]?.content?.['application/json'].examples[
      name
    ];
    expect(comparable(body), name).toEqual(comparable(example?.value));
  }

  it.each([CHECKS, UPDATES])('of %s, for every invalid key and body', async (path) => {
    const value = { ...USER, ...(path === UPDATES ? TAKE : {}) };
    const foreign = formatApiKey({
      type: 'secret',
      environmentId: await (await newTenant()).previewId(),
      home: 'weur',
      random: new Uint8Array(18),
    });
    const cases: [string, Promise<{ status: number; body: unknown }>][] = [
      ['notJson', send(path, { value }, { text: '{' })],
      ['unknownField', send(path, { value: { ...value, user: 'ada' } })],
      ['twoSubjects', send(path, { value: { ...value, userJwt: 'a.b.c' } })],
      ['keyMissing', send(path, { value }, { authorization: '' })],
      ['keyMalformed', send(path, { value }, { authorization: 'Bearer tsr_sec_x' })],
      ['keyUnknown', send(path, { value }, { authorization: `Bearer ${foreign}` })],
      ['notJsonType', send(path, { value, 'x-headers': { 'content-type': 'text/plain' } })],
      ['tooLarge', send(path, { value: { ...value, userJwt: 'x'.repeat(65_536) } })],
      [
        'needsSecretKey',
        send(path, { value: path === UPDATES ? value : { ...USER, consume: TAKE }, 'x-key': 'public' }),
      ],
    ];
    for (const [name, answer] of cases) expectRefusal(path, name, await answer);
  });

  it('of calls about customers', async () => {
    const all = '/api/v1/customers';
    const one = `${all}/{customer}`;
    const grant = `${one}/grants/{plan}`;
    const override = `${one}/overrides/{feature}/{property}`;
    const corrections = `${one}/meter-corrections`;
    const who = `${all}/refused-1`;
    const METER = 'feature=data-exports&property=exports';
    const why = { reason: 'Invoice 2026-118' };
    await send(one, { 'x-path': who, value: { email: 'taken@example.com' } }, { method: 'PUT' });
    const keyed = { ...why, idempotencyKey: 'granted' };
    await send(grant, { 'x-path': `${who}/grants/team`, value: keyed }, { method: 'PUT' });
    const cases: [string, string, string, Omit<DocumentedExample, 'summary'>][] = [
      ['GET', one, 'customerUnknown', { 'x-path': `${all}/unheard-of` }],
      ['GET', one, 'identifierInvalid', { 'x-path': `${all}/%E2%80%8B` }],
      ['GET', one, 'needsSecretKey', { 'x-path': who, 'x-key': 'public' }],
      [
        'GET',
        `${one}/ledger`,
        'mayNotRead',
        { 'x-path': `${who}/ledger`, 'x-query': METER, 'x-key': 'public' },
      ],
      [
        'GET',
        `${one}/ledger`,
        'cursorInvalid',
        { 'x-path': `${who}/ledger`, 'x-query': `${METER}&cursor=x` },
      ],
      ['PUT', one, 'mayNotChange', { 'x-path': who, 'x-key': 'public', value: {} }],
      ['PUT', one, 'unknownField', { 'x-path': who, value: { user: 'ada' } }],
      ['PUT', one, 'stripeCustomer', { 'x-path': `${all}/cus_NffrFeUfNV2Hib`, value: { name: 'Grace' } }],
      ['PUT', one, 'emailTaken', { 'x-path': `${all}/refused-2`, value: { email: 'taken@example.com' } }],
      ['PUT', one, 'notEmail', { 'x-path': who, value: { email: 'nowhere' } }],
      ['PUT', grant, 'planUnknown', { 'x-path': `${who}/grants/gold`, value: why }],
      ['PUT', grant, 'past', { 'x-path': `${who}/grants/team`, value: { ...why, until: 1 } }],
      ['PUT', grant, 'keyReused', { 'x-path': `${who}/grants/team`, value: { ...keyed, until: 9e12 } }],
      [
        'PUT',
        override,
        'propertyUnknown',
        { 'x-path': `${who}/overrides/dashboards/width`, value: { ...why, value: 1 } },
      ],
      [
        'POST',
        corrections,
        'nothing',
        { 'x-path': `${who}/meter-corrections`, value: { ...TAKE, ...why, by: 0 } },
      ],
    ];
    for (const [method, path, name, example] of cases)
      expectRefusal(path, name, await send(path, example, { method }), method);
  });

  it('of calls that sell', async () => {
    const who = '/api/v1/customers/refused-3';
    await send('/api/v1/customers/{customer}', { 'x-path': who, value: {} }, { method: 'PUT' });
    const page = (call: string, value: object, more = {}) =>
      send(`/api/v1/customers/{customer}/${call}`, { 'x-path': `${who}/${call}`, value, ...more });
    const wanted = { price: 'price_none', successUrl: 'https://app.example/' };
    const returned = { returnUrl: 'https://app.example/' };
    for (const [call, name, answer] of [
      ['checkout', 'notSold', page('checkout', wanted)],
      ['checkout', 'notHttps', page('checkout', { ...wanted, successUrl: 'http://app.example/' })],
      ['checkout', 'mayNotChange', page('checkout', wanted, { 'x-key': 'public' })],
      ['portal', 'nobody', page('portal', returned)],
      ['portal', 'mayNotChange', page('portal', returned, { 'x-key': 'public' })],
    ] as const)
      expectRefusal(`/api/v1/customers/{customer}/${call}`, name, await answer);
  });

  it('of a check that takes usage', async () => {
    const keyed = (by: number) => ({ ...USER, consume: { ...TAKE, by, idempotencyKey: 'taken' } });
    await send(CHECKS, { value: keyed(1) });
    expectRefusal(CHECKS, 'keyReused', await send(CHECKS, { value: keyed(2) }));
    expectRefusal(CHECKS, 'nobodyToCountFor', await send(CHECKS, { value: { consume: TAKE } }));
  });

  it('of a counter update', async () => {
    const keyed = (by: number) => ({ ...USER, ...TAKE, by, idempotencyKey: 'counted' });
    await send(UPDATES, { value: keyed(1) });
    expectRefusal(UPDATES, 'keyReused', await send(UPDATES, { value: keyed(2) }));
    const update = (change: object) => send(UPDATES, { value: { ...USER, ...TAKE, ...change } });
    expectRefusal(UPDATES, 'notWhole', await update({ by: 1.5 }));
    expectRefusal(UPDATES, 'unknownFeature', await update({ feature: 'dark-mode' }));
    expectRefusal(
      UPDATES,
      'notMeterable',
      await update({ feature: 'dashboards', property: 'maxDashboards' }),
    );
  });

  it('of a batch', async () => {
    const updates = [{ ...USER, ...TAKE }];
    const batch = (change: object, more = {}) => send(BATCH, { value: { updates, ...change }, ...more });
    expectRefusal(BATCH, 'noUpdates', await batch({ updates: [] }));
    expectRefusal(BATCH, 'headerKey', await batch({}, { 'x-headers': { 'idempotency-key': 'all' } }));
    expectRefusal(BATCH, 'needsSecretKey', await batch({}, { 'x-key': 'public' }));
    expectRefusal(BATCH, 'tooLarge', await batch({ more: 'x'.repeat(262_144) }));
  });

  it('of a batch of checks', async () => {
    const checks = [USER];
    const batch = (change: object, more = {}) =>
      send(CHECKS_BATCH, { value: { checks, ...change }, ...more });
    expectRefusal(CHECKS_BATCH, 'noChecks', await batch({ checks: [] }));
    expectRefusal(CHECKS_BATCH, 'wrongExplain', await batch({}, { 'x-query': 'explain=no' }));
    expectRefusal(CHECKS_BATCH, 'tooLarge', await batch({ more: 'x'.repeat(262_144) }));
  });

  it('of evaluations for OpenFeature', async () => {
    for (const [path, own] of [
      [FLAGS, FLAGS],
      [FLAG, `${FLAGS}/dashboards`],
    ] as const) {
      const flags = (context: unknown, more = {}, sent = {}) =>
        send(path, { 'x-path': own, value: { context }, ...more }, sent);
      expectRefusal(path, 'notJson', await flags({}, {}, { text: '{' }));
      expectRefusal(path, 'missingKey', await flags({ targetingKey: '' }));
      expectRefusal(path, 'contextInvalid', await flags('ada'));
      expectRefusal(path, 'keyMissing', await flags({}, {}, { authorization: '' }));
      expectRefusal(path, 'keyMalformed', await flags({}, {}, { authorization: 'Bearer tsr_sec_x' }));
      expectRefusal(path, 'tooLarge', await flags({ note: 'x'.repeat(65_536) }));
      const text = { 'x-headers': { 'content-type': 'text/plain' } };
      expectRefusal(path, 'notJsonType', await flags({}, text));
    }
    expectRefusal(
      FLAG,
      'flagUnknown',
      await send(FLAG, { 'x-path': `${FLAGS}/dashboards.width`, value: {} }),
    );
    const known = await send(FLAGS, { value: {} });
    const again = { value: {}, 'x-headers': { 'if-none-match': known.headers.get('etag') ?? '' } };
    expect((await send(FLAGS, again)).status).toBe(304);
  });

  it('if an environment or a ledger is unreachable', async () => {
    const value = { ...USER, ...TAKE };
    const away: Env = { ...env, DB: broken, ENVIRONMENT_REPLICA: broken };
    expectRefusal(UPDATES, 'environmentUnavailable', await send(UPDATES, { value }, { env: away }));
    const silent: Env = { ...env, LEDGER: broken };
    expectRefusal(UPDATES, 'usageUnavailable', await send(UPDATES, { value }, { env: silent }));
  });

  it('on an internal error', async () => {
    expectConsole('error', /did not decide/);
    const nothing = JSON.stringify({ kind: 'answered', outcomes: [], readings: [], isWhole: true });
    const ledger = { answerText: async () => nothing };
    const failing: Env = { ...env, LEDGER: { getByName: () => ledger } as never };
    const answer = await send(UPDATES, { value: { ...USER, ...TAKE } }, { env: failing });
    expectRefusal(UPDATES, 'serverError', answer);
  });

  it.each([CHECKS, UPDATES])('of %s, beyond the limit of a key', async (path) => {
    const { tenant } = workspace;
    const key = await tenant.key(await tenant.previewId());
    await tenant.make('PUT', `/api-keys/${key.id}`, { rateLimit: 60 });
    const value = { userIdentifier: 'eve@example.com', ...(path === UPDATES ? TAKE : {}) };
    const call = () => send(path, { value }, { authorization: `Bearer ${key.value}` });
    await expect.poll(async () => (await call()).headers.get('ratelimit-limit')).toBe('60');
    let answer = await call();
    for (let calls = 0; calls < 130 && answer.status !== 429; calls++) answer = await call();
    const body = answer.body as { message: string };
    const message = body.message.replace(/in \d+ s/, 'in 42 s');
    expectRefusal(path, 'rateLimited', { ...answer, body: { ...body, message } });
  });

  it('if the share of a public key is used up', async () => {
    const { tenant } = workspace;
    await env.DB.prepare(
      'INSERT INTO organisation_billing (org_id, used_month_at, used_percent) VALUES (?, ?, 80)',
    )
      .bind(tenant.orgId, monthOf(Date.now()))
      .run();
    await tenant.key(await tenant.previewId());
    const call = () => send(CHECKS, { value: {}, 'x-key': 'public' });
    await expect.poll(async () => (await call()).status).toBe(429);
    const refused = await call();
    expect(refused.body).toMatchObject({ code: 'key-share-used-up' });
    expectRefusal(CHECKS, 'publicKeyUsedUp', refused);
  });

  it('if an organisation is blocked', async () => {
    const { tenant } = workspace;
    await env.DB.batch([
      env.DB.prepare('UPDATE organization SET block_reason = ? WHERE id = ?').bind(
        USAGE_BLOCK_REASON,
        tenant.orgId,
      ),
      env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE org_id = ?').bind(
        tenant.orgId,
      ),
    ]);
    await tenant.make('PUT', `/plans/${workspace.freePlanId}`, { name: 'Free of charge' });
    await publishAll(tenant);
    const knowingNothing: Env = { ...env };
    expectRefusal(CHECKS, 'blocked', await send(CHECKS, { value: {} }, { env: knowingNothing }));
  });
});
