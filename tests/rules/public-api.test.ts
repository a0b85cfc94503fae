// Version 1 of the public API only gains: today's description breaks no client of the last release (docs/versions.md).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '#contracts/public/openapi';
import { RELEASE } from '#contracts/public/release';
import { readBaseline, todaysDescription } from '../../dev/release/baseline.ts';
import { type Baseline, findBreaks } from '../../dev/release/compare-descriptions.ts';
import { readReleases } from '../../dev/release/releases.ts';
import { readSource } from './source-tree.ts';

const { release, document: baseline } = readBaseline();

test('nothing that version 1 promised is gone, narrower or newly required', () => {
  const advice = 'Clients depend on it: docs/versions.md says what may change, and how something is removed';
  expect(findBreaks(baseline, todaysDescription()), advice).toEqual([]);
});

test('the baseline is that of the last release, or before the first one of the first', () => {
  const [newest] = readReleases(readSource('docs/releases.md'));
  expect(release).toBe(newest?.version ?? RELEASE);
});

/** A small API: one call with a body and an answer. */
function sample(): Baseline {
  const Request: JsonSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      kind: { type: 'string', enum: ['seat', 'device'] },
      amount: { type: 'integer', minimum: 0, maximum: 10 },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      value: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['name'],
    additionalProperties: false,
    not: { required: ['kind', 'amount'] },
  };
  const Answer: JsonSchema = {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^req_' },
      amount: { type: 'integer', minimum: 0 },
      reason: { type: 'string', enum: ['limit', 'plan'] },
      errorType: { type: 'string', enum: ['conflict'] },
      state: { oneOf: [{ $ref: '#/components/schemas/On' }, { $ref: '#/components/schemas/Off' }] },
      features: { type: 'object', additionalProperties: { type: 'boolean' } },
    },
    required: ['id', 'amount'],
  };
  const state = (name: string): JsonSchema => ({
    type: 'object',
    properties: { state: { const: name }, since: { type: 'integer' } },
    required: ['state', 'since'],
  });
  const json = (name: string) => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
  });
  const operation = {
    operationId: 'read',
    parameters: [{ name: 'explain', in: 'query', required: false, schema: { type: 'string', enum: ['1'] } }],
    requestBody: { required: false, content: json('Request') },
    responses: {
      200: { headers: { Time: { required: true, schema: { type: 'string' } } }, content: json('Answer') },
      409: { headers: {}, content: json('Answer') },
    },
  };
  return {
    paths: { '/v1/read': { post: operation } },
    components: { schemas: { Request, Answer, On: state('on'), Off: state('off') } },
    'x-errors': [{ errorType: 'conflict', status: 409 }],
    'x-refusals': [{ code: 'email-taken', errorType: 'conflict' }],
    'x-warnings': [{ code: 'query-ignored' }],
  } as unknown as Baseline;
}

// biome-ignore lint/suspicious/noExplicitAny: mutations reach any part of a document.
type Mutable = any;

function breaksOf(change: (api: Mutable, schemas: Mutable, call: Mutable) => void): string[] {
  const now = structuredClone(sample()) as Mutable;
  change(now, now.components.schemas, now.paths['/v1/read'].post);
  return findBreaks(sample(), now);
}

describe('the comparer finds', () => {
  test.each<[string, Parameters<typeof breaksOf>[0], RegExp]>([
    ['a path that is gone', (api) => (api.paths = {}), /read: is gone/],
    ['a method that is gone', (api) => (api.paths['/v1/read'] = {}), /POST \/v1\/read: is gone/],
    ['a call with another name', (_, __, call) => (call.operationId = 'get'), /is called get/],
    ['a parameter that is gone', (_, __, call) => (call.parameters = []), /query explain: is gone/],
    ['a required parameter', (_, __, call) => (call.parameters[0].required = true), /is required/],
    [
      'a new required parameter',
      (_, __, call) => call.parameters.push({ name: 'id', in: 'query', required: true }),
      /query id: is required/,
    ],
    ['a narrower parameter', (_, __, call) => (call.parameters[0].schema.enum = ['true']), /fewer values/],
    ['a body that is required', (_, __, call) => (call.requestBody.required = true), /body: is required/],
    ['a body that is gone', (_, __, call) => delete call.requestBody, /body: is gone/],
    ['a status that is gone', (_, __, call) => delete call.responses[409], /409: is gone/],
    [
      'another success',
      (_, __, call) => (call.responses[202] = call.responses[200]),
      /202: is a new success/,
    ],
    ['an answer without its body', (_, __, call) => delete call.responses[200].content, /has no body/],
    ['a header that is gone', (_, __, call) => (call.responses[200].headers = {}), /header Time: is gone/],
    [
      'a header that may be absent',
      (_, __, call) => delete call.responses[200].headers.Time.required,
      /may be absent/,
    ],
    [
      'a field of a request that is gone',
      (_, { Request }) => delete Request.properties.kind,
      /lost the field kind/,
    ],
    ['a newly required field', (_, { Request }) => Request.required.push('kind'), /requires kind/],
    [
      'a new field that is required',
      (_, { Request }) => {
        Request.properties.id = {};
        Request.required.push('id');
      },
      /requires id/,
    ],
    [
      'a value that is refused',
      (_, { Request }) => Request.properties.kind.enum.pop(),
      /kind: accepts fewer values/,
    ],
    [
      'values where any was accepted',
      (_, { Request }) => (Request.properties.name.enum = ['a']),
      /fewer values/,
    ],
    [
      'a narrower type',
      (_, { Request }) => (Request.properties.name.type = 'integer'),
      /type string became integer/,
    ],
    ['a null that is refused', (_, { Request }) => Request.properties.value.anyOf.pop(), /value/],
    [
      'a lower limit',
      (_, { Request }) => (Request.properties.name.maxLength = 99),
      /maxLength 100 became 99/,
    ],
    [
      'a limit where there was none',
      (_, { Request }) => (Request.properties.value.anyOf[0].maxLength = 9),
      /maxLength/,
    ],
    ['a higher minimum', (_, { Request }) => (Request.properties.amount.minimum = 1), /minimum 0 became 1/],
    ['fewer items', (_, { Request }) => (Request.properties.tags.maxItems = 4), /maxItems/],
    [
      'narrower items',
      (_, { Request }) => (Request.properties.tags.items.minLength = 1),
      /tags\[\]: minLength/,
    ],
    ['a pattern', (_, { Request }) => (Request.properties.name.pattern = '^a'), /pattern none became/],
    [
      'fields that exclude each other',
      (_, { Request }) => (Request.not = { anyOf: [Request.not, { required: ['name', 'tags'] }] }),
      /excludes/,
    ],
    [
      'a field that needs another',
      (_, { Request }) => (Request.dependentRequired = { tags: ['kind'] }),
      /requires kind beside tags/,
    ],
    [
      'a field of an answer that is gone',
      (_, { Answer }) => delete Answer.properties.id,
      /lost the field id/,
    ],
    ['a field of an answer that may be absent', (_, { Answer }) => Answer.required.pop(), /may lack amount/],
    [
      'another type in an answer',
      (_, { Answer }) => (Answer.properties.amount.type = 'number'),
      /type integer became/,
    ],
    [
      'a null in an answer',
      (_, { Answer }) => (Answer.properties.id = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
      /id/,
    ],
    [
      'a new value in an answer',
      (_, { Answer }) => Answer.properties.reason.enum.push('region'),
      /reason: has new values/,
    ],
    [
      'any value in an answer',
      (_, { Answer }) => delete Answer.properties.reason.enum,
      /reason: has new values/,
    ],
    ['another format of an answer', (_, { Answer }) => (Answer.properties.id.pattern = '^r_'), /pattern/],
    ['a lower minimum of an answer', (_, { Answer }) => (Answer.properties.amount.minimum = -1), /minimum/],
    ['a form of an answer that is gone', (_, { Answer }) => Answer.properties.state.oneOf.pop(), /state/],
    [
      'a new form of an answer',
      (_, { Answer, On }) =>
        Answer.properties.state.oneOf.push({
          ...On,
          properties: { ...On.properties, state: { const: 'metered' } },
        }),
      /state/,
    ],
    ['a form with a field less', (_, { Off }) => delete Off.properties.since, /since/],
    [
      'other values of a map',
      (_, { Answer }) => (Answer.properties.features.additionalProperties.type = 'string'),
      /features\.\*: the type/,
    ],
    ['another status of an error', (api) => (api['x-errors'][0].status = 400), /conflict: 409 became 400/],
    ['another type of a code', (api) => (api['x-refusals'][0].errorType = 'invalid-request'), /email-taken/],
    ['a warning that is gone', (api) => (api['x-warnings'] = []), /query-ignored: is gone/],
  ])('%s', (_, change, problem) => expect(breaksOf(change).join('\n')).toMatch(problem));

  test('any field that is taken out of the true description', () => {
    const fields = Object.entries(baseline.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((field) => [name, field] as const),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fields), ([name, field]) => {
        const now = structuredClone(baseline) as Mutable;
        delete now.components.schemas[name].properties[field];
        expect(findBreaks(baseline, now).length).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the comparer allows', () => {
  test.each<[string, Parameters<typeof breaksOf>[0]]>([
    ['nothing new', () => undefined],
    ['a new path', (api) => (api.paths['/v1/new'] = api.paths['/v1/read'])],
    ['a new method', (api) => (api.paths['/v1/read'].get = api.paths['/v1/read'].post)],
    [
      'a new optional parameter',
      (_, __, call) => call.parameters.push({ name: 'id', in: 'query', required: false }),
    ],
    ['a new optional field of a request', (_, { Request }) => (Request.properties.id = { type: 'string' })],
    [
      'a field that excludes the new one',
      (_, { Request }) => {
        Request.properties.id = {};
        Request.not = { anyOf: [Request.not, { required: ['id', 'name'] }] };
      },
    ],
    [
      'a new field that needs another',
      (_, { Request }) => {
        Request.properties.id = {};
        Request.dependentRequired = { id: ['name'] };
      },
    ],
    ['a field that is no longer required', (_, { Request }) => (Request.required = [])],
    ['a new value of a request', (_, { Request }) => Request.properties.kind.enum.push('site')],
    [
      'a null that is accepted',
      (_, { Request }) => (Request.properties.name = { anyOf: [Request.properties.name, { type: 'null' }] }),
    ],
    ['any number for an integer', (_, { Request }) => (Request.properties.amount.type = 'number')],
    [
      'a raised limit',
      (_, { Request, Answer }) => {
        Request.properties.name.maxLength = 200;
        Answer.properties.id.maxLength = 200;
      },
    ],
    ['a new form of a request', (_, { Request }) => Request.properties.value.anyOf.push({ type: 'integer' })],
    [
      'a new field of an answer',
      (_, { Answer }) => {
        Answer.properties.more = { type: 'string' };
        Answer.required.push('more');
      },
    ],
    ['a field that an answer always has now', (_, { Answer }) => Answer.required.push('reason')],
    [
      'a new error type',
      (api, { Answer }) => {
        Answer.properties.errorType.enum.push('teapot');
        api['x-errors'].push({ errorType: 'teapot', status: 418 });
      },
    ],
    ['a new status of an error', (_, __, call) => (call.responses[418] = call.responses[409])],
    [
      'a new code and a new warning',
      (api) => {
        api['x-refusals'].push({ code: 'new', errorType: 'conflict' });
        api['x-warnings'].push({ code: 'new' });
      },
    ],
    ['a new header', (_, __, call) => (call.responses[200].headers.More = { schema: {} })],
  ])('%s', (_, change) => expect(breaksOf(change)).toEqual([]));
});
