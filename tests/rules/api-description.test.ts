// What the served description of the public API promises of itself: it is valid OpenAPI 3.1, whole, and its examples fit.
import { Validator as SchemaValidator } from '@cfworker/json-schema';
import { Validator as OpenApiValidator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Endpoint, PublicEndpoint } from '#contracts/public/endpoint';
import { HTTP_STATUS } from '#contracts/public/error-types';
import { type JsonSchema, type OpenApiDocument, resolveParts } from '#contracts/public/openapi';
import { type PublicCallId, publicCalls } from '#contracts/public/public-calls';
import { WARNINGS } from '#contracts/public/warnings';
import { REFUSALS } from '#engine/identity/describe-refusal';
import { buildDocument } from '#worker/domains/api-docs/build-document';
import { listFiles, readSource, root } from './source-tree.ts';

/** As clients get it. */
const served = JSON.parse(JSON.stringify(buildDocument('https://tessera.example'))) as OpenApiDocument;
const document = resolveParts(served);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

function validatorOf(schema: JsonSchema): SchemaValidator {
  return new SchemaValidator({ ...schema, components: document.components } as object, '2020-12', false);
}

test('is a valid document of OpenAPI 3.1', async () => {
  const validator = new OpenApiValidator();
  expect(await validator.validate({ ...structuredClone(served) })).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('describes every call that an API key opens', async () => {
  const paths: string[] = [];
  for (const path of listFiles(['packages/contracts'])) {
    const contract = (await import(`${root}/${path}`)) as Record<string, Record<string, Endpoint>>;
    const collections = Object.entries(contract).filter(([name]) => name.endsWith('Endpoints'));
    for (const [, records] of collections) {
      for (const endpoint of Object.values(records)) {
        if (endpoint.guard.kind === 'key') paths.push(`${endpoint.method} ${endpoint.path}`);
      }
    }
  }
  const described = operations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
  expect(described.sort()).toEqual(paths.sort());
});

test('says in words what every schema, field, parameter, header and status means', () => {
  const silent: string[] = [];
  const walk = (schema: JsonSchema, path: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!field.description) silent.push(`${path}.${name}`);
      walk(field, `${path}.${name}`);
    }
    const { items, additionalProperties: values, anyOf = [], oneOf = [], allOf = [] } = schema;
    for (const form of [...anyOf, ...oneOf, ...allOf]) walk(form, path);
    if (items !== undefined) walk(items, path);
    if (typeof values === 'object') walk(values, `${path}.*`);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!schema.description) silent.push(name);
    walk(schema, name);
  }
  for (const { path, parameters, responses, ...operation } of operations) {
    if (!operation.description || !operation.summary) silent.push(path);
    for (const { name, description } of parameters) if (!description) silent.push(`${path} ${name}`);
    for (const [status, { description, headers }] of Object.entries(responses)) {
      if (!description) silent.push(`${path} ${status}`);
      for (const [name, header] of Object.entries(headers)) if (!header.description) silent.push(name);
    }
  }
  expect(silent).toEqual([]);
});

test('refers only to schemas that it has', () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(10);
  const unknown = references
    .map(([, name = '']) => name)
    .filter((name) => !document.components.schemas[name]);
  expect(unknown).toEqual([]);
});

describe.each(operations)('$method $path', ({ requestBody, responses, operationId, ...operation }) => {
  const request = requestBody?.content['application/json'];
  const examples = request?.examples ?? operation['x-examples'] ?? {};
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    content === undefined ? [] : [{ status, ...content['application/json'] }],
  );
  /** Neither of the calls that applications make most. */
  const isSmall = operationId !== 'checkAccess' && operationId !== 'updateCounter';
  const call: PublicEndpoint = publicCalls[operationId as PublicCallId];
  const { body: requestSchema } = call;

  test('its examples of requests fit its schema, and are accepted by what validates', () => {
    expect(Object.keys(examples).length).toBeGreaterThanOrEqual(isSmall ? 1 : 7);
    expect(request === undefined).toBe(requestSchema === undefined);
    for (const [name, { value, 'x-path': path }] of Object.entries(examples)) {
      const pattern = new RegExp(`^${call.path.replace(/:\w+/g, '[^/]+')}$`);
      if (call.path.includes(':')) expect(path, name).toMatch(pattern);
      if (request === undefined || requestSchema === undefined) continue;
      const validator = validatorOf(request.schema);
      expect(validator.validate(value), name).toMatchObject({ valid: true });
      expect(requestSchema.safeParse(value), name).toMatchObject({ success: true });
    }
  });

  test('every example of a request has its answer', () => {
    expect(Object.keys(responses['200']?.content?.['application/json'].examples ?? {})).toEqual(
      Object.keys(examples),
    );
  });

  test.each(answers)('its examples of answers with $status fit their schema', ({ schema, examples }) => {
    const validator = validatorOf(schema);
    expect(Object.keys(examples)).not.toEqual([]);
    for (const [name, { value }] of Object.entries(examples)) {
      expect(validator.validate(value), name).toMatchObject({ valid: true });
    }
  });

  test.skipIf(isSmall)('its schema accepts the very requests that are accepted', () => {
    if (request === undefined || requestSchema === undefined) throw new TypeError('The call has a body');
    const validator = validatorOf(request.schema);
    const met = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(operationId === 'checkAccess' ? checkBodies : updateBodies, (body) => {
        const sent = JSON.parse(JSON.stringify(body)) as unknown;
        const isAccepted = requestSchema.safeParse(sent).success;
        expect(validator.validate(sent).valid).toBe(isAccepted);
        met[isAccepted ? 'accepted' : 'refused'] += 1;
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(met.accepted, met.refused)).toBeGreaterThan(300);
  });
});

/** Right far more often than wrong, so that bodies as a whole are about as often one as the other. */
function mostly(right: readonly unknown[], wrong: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 50, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

const name = mostly(['ada@example.com', 'x', 'x'.repeat(200)], ['', 'x'.repeat(201), 7, null]);
const slug = mostly(['data-exports', 'constructor', '-a_'], ['ab', 'Exports', '---', '__proto__', 5]);
const propertyKey = mostly(['exports', 'maxSeats', 'a.b'], ['ab', 'x'.repeat(26), '__proto__', true]);
const amount = (least: number) => mostly([1, 40, 1e12], [least - 1, 1.5, 1e12 + 1, '1']);
const flag = mostly([true, false], ['true', 1]);
const unknown = mostly([undefined], ['x']);
const occurredAt = mostly(
  [undefined, '2026-11-18T09:12:00Z', '2026-11-18T10:12:00.25+01:00'],
  ['2026-11-18', '2026-13-18T09:12:00Z', 1_700_000_000_000],
);
const ageMs = mostly([undefined, undefined, 0, 86_400_000], [-1, 0.5, 86_400_001, '0', null]);

const checkBodies = fc.record(
  {
    userIdentifier: name,
    userJwt: name.filter((text) => text !== 'x'.repeat(201)), // A token may be as long as a body.
    consume: fc.oneof(
      fc.record({
        feature: slug,
        property: propertyKey,
        by: amount(1),
        idempotencyKey: name,
        occurredAt,
        ageMs,
      }),
      fc.record({ feature: slug, property: propertyKey, resourceId: name, unknown }),
      fc.record({ feature: slug, property: propertyKey, by: amount(1), resourceId: name }),
      fc.record({ feature: slug, property: propertyKey }, { requiredKeys: ['feature'] }),
    ),
    consistency: mostly(['bounded', 'local', 'strict'], ['weak', null]),
    features: fc.array(slug, { maxLength: 3 }),
    context: mostly([{}, { beta: true, width: 390.5, page: '/' }], [{ list: [] }, { none: null }, 'x', null]),
    unknown,
  },
  { requiredKeys: [] },
);

const updateBodies = fc.oneof(
  fc.record(
    {
      userIdentifier: name,
      feature: slug,
      property: propertyKey,
      by: amount(-1e12),
      idempotencyKey: name,
      enforce: flag,
      occurredAt,
      ageMs,
      unknown,
    },
    { requiredKeys: ['userIdentifier', 'feature', 'property'] },
  ),
  fc.record(
    {
      userIdentifier: name,
      userJwt: fc.constant('a.b.c'),
      feature: slug,
      property: propertyKey,
      by: amount(-1e12),
      resourceId: name,
      release: flag,
    },
    { requiredKeys: ['feature', 'property'] },
  ),
);

describe('its tables', () => {
  test('have every error type with its status, and so have the responses', () => {
    const table = Object.fromEntries(
      document['x-errors'].map(({ errorType, status }) => [errorType, status]),
    );
    expect(table).toEqual(HTTP_STATUS);
    for (const { responses, ...operation } of operations) {
      const all = Object.keys(responses);
      if (!['checkAccess', 'updateCounter'].includes(operation.operationId)) {
        expect(all).toEqual(expect.arrayContaining(['200', '401', '429', '500', '503']));
        continue;
      }
      expect(all).toEqual(['200', '400', '401', '403', '409', '413', '415', '429', '500', '503']);
    }
  });

  test('have every warning, and each refusal of a token is one', () => {
    const codes = document['x-warnings'].map(({ code }) => code);
    expect(codes).toEqual(Object.keys(WARNINGS));
    expect(codes.filter((code) => code.startsWith('jwt-')).sort()).toEqual([...REFUSALS].sort());
    for (const { message, advice } of document['x-warnings']) expect(message && advice).toBeTruthy();
  });

  test('are the only place that warnings come from', () => {
    const making = listFiles(['packages', 'runtime', 'worker', 'durable-objects'])
      .filter((path) => path !== 'packages/contracts/public/warnings.ts')
      .filter((path) => /\bcode: '(?!custom')[a-z]+-[a-z-]+',\s*message/.test(readSource(path)));
    expect(making).toEqual([]);
  });
});
