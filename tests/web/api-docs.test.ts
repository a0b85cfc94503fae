// What the API page makes of the description: fields told in words, and calls as code that runs.
import { describe, expect, test } from 'vitest';
import { type DocumentedExample, type JsonSchema, resolveParts } from '#contracts/public/openapi';
import { type FieldRow, fieldRows } from '#contracts/public/read-schema';
import { buildDocument } from '#worker/domains/api-docs/build-document';
import { codeSample, readLanguage } from '../../web/domains/api-docs/code-samples.ts';
import { docsEntries, findEntries } from '../../web/domains/api-docs/search-document.ts';
import { tokensOf } from '../../web/ui/code/code-tokens.ts';
import { keyVariable } from '../../web/values/client-example.ts';

const description = resolveParts(buildDocument('https://tessera.example'));
const { schemas } = description.components;
const rowsOf = (name: string) => fieldRows(schemas[name] as JsonSchema, schemas);

/** By its path, such as version.number. */
function rowAt(rows: readonly FieldRow[], path: string): FieldRow | undefined {
  const [first, ...rest] = path.split('.');
  const row = rows.find(({ name }) => name === first);
  return row === undefined || rest.length === 0 ? row : rowAt(row.fields, rest.join('.'));
}

describe('a field is described', () => {
  test.each([
    ['AccessCheckRequest', 'userIdentifier', { type: 'string', bounds: '1 to 200 characters' }],
    ['AccessCheckRequest', 'consistency', { values: ['bounded', 'local', 'strict'] }],
    ['AccessCheckRequest', 'features', { type: 'string[]', bounds: '1 to 200 entries' }],
    ['AccessCheckRequest', 'consume.feature', { isRequired: true }],
    ['CounterUpdateRequest', 'by', { type: 'integer', bounds: '−10¹² to 10¹²', isRequired: false }],
    ['AccessCheckAnswer', 'version.number', { type: 'integer or null' }],
    ['AccessCheckAnswer', 'warnings.code', { type: 'string' }],
    ['AccessCheckAnswer', 'features.{key}.properties.{key}.limit', { forms: ['metered'] }],
    ['AccessCheckAnswer', 'consumed.accepted', { type: 'boolean', forms: [] }],
    ['AccessCheckAnswer', 'consumed.limit', { forms: ['metered'] }],
    ['Explanation', 'decidedBy', { type: 'string[] or string or object' }],
  ])('%s.%s', (schema, path, told) => {
    expect(rowAt(rowsOf(schema), path)).toMatchObject(told);
  });

  test('with its description, wherever it is', () => {
    const silent = (rows: readonly FieldRow[], path: string): string[] =>
      rows.flatMap(({ name, description: text, fields }) => [
        ...(text === '' ? [`${path}.${name}`] : []),
        ...silent(fields, `${path}.${name}`),
      ]);
    expect(Object.keys(schemas).flatMap((name) => silent(rowsOf(name), name))).toEqual([]);
  });
});

describe('a call as code', () => {
  const url = 'https://tessera.example/api/v1/access-checks';
  const awkward: DocumentedExample = {
    summary: '',
    value: { userIdentifier: `it's "Ada" \\ \n$HOME \${x}`, consume: { 'not-a-name': [true, null, 1.5] } },
    'x-query': 'explain=1',
    'x-headers': { 'Idempotency-Key': 'once' },
  };
  const all = Object.values(description.paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, { requestBody, 'x-examples': plain }]) =>
      Object.values(requestBody?.content['application/json'].examples ?? plain ?? {}).map((example) => ({
        ...example,
        method: method.toUpperCase(),
      })),
    ),
  );

  test('for TypeScript sends the very request', async () => {
    for (const example of [...all, { ...awkward, method: 'POST' }]) {
      const calls: { target: string; init: { method: string; body?: string; headers: object } }[] = [];
      const code = codeSample('javascript', url, example);
      const run = new Function('process', 'fetch', `return (async () => { ${code}\n })()`);
      await run(
        { env: { TESSERA_KEY: 'tsr_sec_1', TESSERA_PUBLIC_KEY: 'tsr_pub_1' } },
        (target: string, init: never) => {
          calls.push({ target, init });
          return { json: () => ({}) };
        },
      );
      const [call] = calls;
      const { body } = call?.init ?? {};
      expect(body === undefined ? undefined : JSON.parse(body)).toEqual(example.value);
      expect(call?.init.method).toBe(example.method);
      expect(call?.target).toBe(example['x-query'] === undefined ? url : `${url}?${example['x-query']}`);
      const key = example['x-key'] === 'public' ? 'tsr_pub_1' : 'tsr_sec_1';
      expect(call?.init.headers).toMatchObject({
        Authorization: `Bearer ${key}`,
        ...example['x-headers'],
      });
    }
  });

  test('for a terminal quotes what a shell would read', () => {
    const code = codeSample('curl', url, awkward);
    const [, quoted = ''] = /-d '([\s\S]*)'$/.exec(code) ?? [];
    expect(JSON.parse(quoted.replaceAll("'\\''", "'"))).toEqual(awkward.value);
    expect(code).toContain(`"${url}?explain=1"`);
    expect(code).toContain('-H "Idempotency-Key: once"');
    expect(code).toContain('"Authorization: Bearer $TESSERA_KEY"');
  });

  test('for a terminal names a method that is not the usual one, and sends no body without one', () => {
    const code = codeSample('curl', url, { 'x-key': 'secret', method: 'DELETE' });
    expect(code).toBe(`curl -X DELETE ${url} \\\n  -H "Authorization: Bearer $TESSERA_KEY"`);
    expect(codeSample('curl', url, { method: 'GET' })).not.toContain('-X');
    expect(codeSample('python', url, { method: 'PUT', value: {} })).toContain('requests.put(');
  });

  test('for Python has the words of Python', () => {
    const code = codeSample('python', url, awkward);
    expect(code).toContain('[True, None, 1.5]');
    expect(code).not.toMatch(/\b(true|null)\b/);
  });

  test('reads the key from the environment in every language, and names one variable per type', () => {
    for (const language of ['curl', 'javascript', 'python'] as const) {
      for (const type of ['secret', 'public'] as const) {
        const code = codeSample(language, url, { ...awkward, 'x-key': type });
        expect(code.match(/\bTESSERA_\w+/g)).toEqual([keyVariable(type)]);
      }
    }
    expect([keyVariable('secret'), keyVariable('public')]).toEqual(['TESSERA_KEY', 'TESSERA_PUBLIC_KEY']);
  });

  test('is curl where the address names no language that there is', () => {
    expect([readLanguage('python'), readLanguage('cobol'), readLanguage(null)]).toEqual([
      'python',
      'curl',
      'curl',
    ]);
  });

  test('is coloured without losing a character', () => {
    for (const language of ['curl', 'javascript', 'python'] as const) {
      const code = codeSample(language, url, awkward);
      expect(
        tokensOf(code)
          .map(({ text }) => text)
          .join(''),
      ).toBe(code);
    }
    const kinds = tokensOf('{ "used": 42, "isOn": true, "name": "x" }').map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'plain')).toEqual([
      'name',
      'value',
      'name',
      'value',
      'name',
      'text',
    ]);
  });
});

describe('the search finds', () => {
  const { paths } = description;
  const operations = [
    { id: 'access-checks', title: 'Access checks', operation: paths['/api/v1/access-checks']?.post ?? {} },
    {
      id: 'counter-updates',
      title: 'Counter updates',
      operation: paths['/api/v1/counter-updates']?.post ?? {},
    },
  ];
  const entries = docsEntries(description, operations);
  const found = (search: string) => findEntries(entries, search).map(({ label }) => label);

  test.each([
    ['occurredAt', ['Counter updates']],
    ['ageMs', ['Counter updates']],
    ['validuntil', ['Access checks']],
    ['USAGE blocked', ['usage-blocked']],
    ['customer-in-other-mode', ['customer-in-other-mode']],
    ['bearer', ['Authentication']],
    ['quaternion', []],
  ])('%s', (search, labels) => {
    expect(found(search)).toEqual(expect.arrayContaining(labels));
    if (labels.length === 0) expect(found(search)).toEqual([]);
  });
});
