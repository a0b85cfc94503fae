// Clients are made of the description by the common tools: it lints clean, and generators make strict TypeScript of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema, OpenApiDocument } from '#contracts/public/openapi';
import { WARNINGS } from '#contracts/public/warnings';
import { buildDocument } from '#worker/domains/api-docs/build-document';
import { root } from '../rules/source-tree.ts';

const text = JSON.stringify(buildDocument('https://tessera.example'));
const document = JSON.parse(text) as OpenApiDocument;
const { schemas } = document.components;

/** Inside the repository, so that what is generated finds its packages. */
let folder: string;
beforeAll(() => {
  mkdirSync(`${root}/node_modules/.cache`, { recursive: true });
  folder = mkdtempSync(`${root}/node_modules/.cache/api-clients-`);
  writeFileSync(join(folder, 'openapi.json'), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @throws with the compiler's output */
function compile(files: Readonly<Record<string, string>>): void {
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source);
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--types', ''];
  const platform = ['--target', 'es2023', '--module', 'preserve', '--lib', 'es2023,dom,dom.iterable'];
  const names = Object.keys(files).map((name) => join(folder, name));
  try {
    execFileSync(`${root}/node_modules/.bin/tsc`, ['--ignoreConfig', ...options, ...platform, ...names]);
  } catch (error) {
    throw new Error(String((error as { stdout?: unknown }).stdout));
  }
}

test('lints clean with the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  expect(
    problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${message} ${at?.pointer}`),
  ).toEqual([]);
});

describe('generates a strict client', () => {
  /** Uses that a client must refuse are marked. */
  const uses = (answer: string) => `
    declare const meter: Meter;
    if (meter.state === 'metered') meter.remaining.toFixed();
    // @ts-expect-error: only a metered value has a limit.
    meter.limit;
    const update: CounterUpdateRequest = { userIdentifier: 'ada', feature: 'exports', property: 'files', by: 2 };
    // @ts-expect-error: the feature is missing.
    const wrong: CounterUpdateRequest = { userIdentifier: 'ada', property: 'files' };
    declare const warning: Warning;
    const code: string = warning.code;
    declare const error: CallError;
    error.errorType === 'rate-limited';
    // @ts-expect-error: there is no such type of error.
    error.errorType === 'unheard-of';
    ${answer}
    export const used = [update, wrong, code];`;

  test('with oazapfts', async () => {
    const client = await generateSource(join(folder, 'openapi.json'));
    compile({
      'client.ts': client,
      'uses.ts': `
        import { checkAccess, type CallError, type CounterUpdateRequest, type Meter, type Warning } from './client';
        ${uses(`
          const answer = await checkAccess({ userIdentifier: 'ada' });
          if (answer.status === 200) answer.data.features['exports']?.allowed.valueOf();
          // @ts-expect-error: a field that does not exist.
          await checkAccess({ user: 'ada' });`)}`,
    });
  });

  test('with orval', () => {
    const files = ['--input', join(folder, 'openapi.json'), '--output', join(folder, 'orval.ts')];
    execFileSync(process.execPath, [
      `${root}/node_modules/orval/dist/bin/orval.mjs`,
      ...files,
      '--client',
      'fetch',
    ]);
    compile({
      'uses.ts': `
        import { checkAccess, type CallError, type CounterUpdateRequest, type Meter, type Warning } from './orval';
        ${uses(`
          const answer = await checkAccess({ userIdentifier: 'ada' });
          if (answer.status === 200) answer.data.features['exports']?.allowed.valueOf();
          // @ts-expect-error: a field that does not exist.
          await checkAccess({ user: 'ada' });`)}`,
    });
  });
});

describe('is written for generators', () => {
  const all: { readonly place: string; readonly schema: JsonSchema }[] = [];
  const walk = (place: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    all.push({ place, schema: value as JsonSchema });
    for (const [key, each] of Object.entries(value)) walk(`${place}.${key}`, each);
  };
  for (const [name, schema] of Object.entries(schemas)) walk(name, schema);

  test('integers say that they need 64 bits', () => {
    const short = all.filter(({ schema }) => schema.type === 'integer' && schema.format !== 'int64');
    expect(short.map(({ place }) => place)).toEqual([]);
  });

  test('objects in unions have names, and no union is one of required fields alone', () => {
    const unnamed = all.filter(({ schema, place }) => {
      const members = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
      return !place.includes('.not') && members.some((each) => each.properties ?? each.required);
    });
    expect(unnamed.map(({ place }) => place)).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['MeterOn', 'MeterOff', 'MeterMetered']));
  });

  test('no schema has the name of a class that languages or generators have', () => {
    expect(
      Object.keys(schemas).filter((name) => ['Error', 'ApiError', 'Object', 'Exception'].includes(name)),
    ).toEqual([]);
  });

  test('warning codes are an enum that is open', () => {
    expect(schemas.WarningCode?.anyOf).toEqual([
      { type: 'string', enum: Object.keys(WARNINGS) },
      { type: 'string' },
    ]);
  });

  test('headers and answers that several calls have are written out once', () => {
    const { headers, responses, parameters } = document.components;
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit-Limit', 'Retry-After']),
    );
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['Unauthenticated', 'TooManyRequests']));
    expect(Object.keys(parameters)).toEqual(expect.arrayContaining(['Idempotency-Key', 'Tessera-Answered']));
    expect(text.split('The API key is mistyped or incomplete').length).toBeLessThan(5);
  });
});
