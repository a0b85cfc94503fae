// The package in projects of others: what compiles, what the compiler refuses, and the examples that the console shows.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installSdk } from '#lab/fakes/install-sdk';
import { generateTypes } from '../../packages/engine/artifacts/generate-types.ts';
import { clientExample } from '../../web/values/client-example.ts';
import { typeErrors } from './type-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-consumer-'));

beforeAll(async () => {
  await installSdk(folder, ['react', '@types/react', 'csstype']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says about a project; empty if it compiles. */
async function compile(
  name: string,
  files: Record<string, string>,
  options: object,
  kind: Parameters<typeof typeErrors>[2] = {},
): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
  return typeErrors(project, options, kind);
}

const nodeNext = { module: 'NodeNext', moduleResolution: 'NodeNext' };
const bundler = { module: 'ESNext', moduleResolution: 'bundler' };

const property = (key: string, type: string) => ({ key, type });
const enabled = property('enabled', 'boolean');
const reports = [
  enabled,
  property('rows', 'number'),
  property('format', 'string'),
  property('runs', 'meterable'),
];
const generated = generateTypes({
  features: [
    { slug: 'reports', properties: reports },
    { slug: 'team-seats', properties: [enabled] },
    { slug: '1-"hostile\\', properties: [property('a.b-c', 'number')] },
  ],
  plans: [{ slug: 'free' }, { slug: 'team' }],
} as never);

const uses = `
import { createTessera, type Meter, type Plan } from 'tessera-sdk';
import { createBrowserTessera } from 'tessera-sdk/browser';
import { createHandler } from 'tessera-sdk/handler';
import { useCan, useMeter, useValue } from 'tessera-sdk/react';
import { createFakeServer } from 'tessera-sdk/fake-server';
import { type Hold, openHold } from 'tessera-sdk/holds';
import { holdUsage, LimitReachedError } from 'tessera-sdk/ai';
const tessera = createTessera({ timeoutMs: 500, waitUntil: undefined });
const on = { user: 'ada' };
export async function use() {
  const can: boolean = await tessera.can('reports', { on, fallback: false });
  await tessera.can('team-seats.enabled', { on, fallback: false });
  await tessera.can('reports.runs', { on: { anonymous: true }, fallback: false });
  const rows: number = await tessera.get('reports.rows', { on, fallback: 10 });
  const format: string = await tessera.get('reports.format', { on, fallback: 'csv' });
  const verdict: boolean = await tessera.get('reports', { on, fallback: false });
  const off = { state: 'off', allowed: false } as const;
  const runs: Meter = await tessera.get('reports.runs', { on, fallback: off });
  const dotted: number = await tessera.get('1-"hostile\\\\.a.b-c', { on, fallback: 1 });
  const key: string = tessera.count('reports.runs', { on, by: 2 });
  const { meter }: { meter: Meter | null } = await tessera.consume('reports.runs', { on, fallback: 'deny' });
  const access = await tessera.check(on);
  const plans: readonly Plan[] = access.plans;
  return { can, rows, format, verdict, runs, dotted, key, meter, plans };
}
export async function useTyped() {
  const peeked: number | undefined = tessera.peek('reports.rows', { on })?.value;
  const verdict: boolean | undefined = tessera.peek('reports', { on })?.value;
  const access = await tessera.check(on);
  const limit: number = access.features.reports.rows;
  const seen: boolean | undefined = access.get('reports');
  return { peeked, verdict, limit, seen };
}
export function Component() {
  const can: boolean = useCan('reports', { fallback: false });
  const rows: number = useValue('reports.rows', { fallback: 1 });
  const verdict: boolean = useValue('reports', { fallback: false });
  const meter: Meter | null = useMeter('reports.runs');
  return [can, rows, verdict, meter];
}
export const browser = createBrowserTessera({ from: { handler: '/entitlements' } });
export const shown = async (): Promise<number | undefined> => (await browser.load()).features.reports?.rows;
export const handle = createHandler(tessera, { identify: () => on });
export const fake = createFakeServer({ formatVersion: 1 });
export async function hold(): Promise<Hold | null> {
  const held = await openHold(tessera, 'reports.runs', { on, amount: 5, orLess: true });
  const left: Meter = held.meter;
  if (!held.accepted) return left.allowed ? null : null;
  held.use(2);
  const { applied }: { applied: number } = await held.settle();
  return applied > 0 ? held : null;
}
export const middleware = holdUsage(tessera, 'reports.runs', { on, maxOutputTokens: 5, perToken: { output: 2 } });
interface Asked { prompt: string[]; maxOutputTokens?: number }
declare const model: { doStream(asked: Asked): PromiseLike<{ stream: ReadableStream<string>; id: number }> };
export const streamed: Promise<{ stream: ReadableStream<string>; id: number }> = middleware.wrapStream({
  params: { prompt: [] } as Asked,
  model,
});
export const isReached = (error: unknown): boolean => error instanceof LimitReachedError && error.meter.allowed;`;

const misuses = `
import { createTessera } from 'tessera-sdk';
import { createBrowserTessera } from 'tessera-sdk/browser';
import { useMeter, useValue } from 'tessera-sdk/react';
import { openHold } from 'tessera-sdk/holds';
import { holdUsage } from 'tessera-sdk/ai';
const tessera = createTessera();
const on = { user: 'ada' };
export async function misuse() {
  // @ts-expect-error a fallback is required
  await tessera.can('reports', { on });
  // @ts-expect-error no such feature
  await tessera.can('exports', { on, fallback: false });
  // @ts-expect-error no such property
  await tessera.get('reports.columns', { on, fallback: 1 });
  // @ts-expect-error no such feature
  await tessera.get('exports', { on, fallback: true });
  // @ts-expect-error the verdict of a feature is true or false
  await tessera.get('reports', { on, fallback: 1 });
  // @ts-expect-error a number is nothing to allow
  await tessera.can('reports.rows', { on, fallback: false });
  // @ts-expect-error the fallback is a number
  await tessera.get('reports.rows', { on, fallback: '10' });
  // @ts-expect-error a switch counts nothing
  tessera.count('reports.enabled', { on });
  // @ts-expect-error a feature counts nothing
  tessera.count('reports', { on });
  // @ts-expect-error a feature counts nothing
  await tessera.consume('reports', { on, fallback: 'deny' });
  // @ts-expect-error an anonymous session has no usage
  tessera.count('reports.runs', { on: { anonymous: true } });
  // @ts-expect-error either an amount or a resource
  tessera.count('reports.runs', { on, by: 1, resource: 'seat' });
  // @ts-expect-error one subject
  await tessera.check({ user: 'ada', token: 'jwt' });
  // @ts-expect-error the fallback decides
  await tessera.consume('reports.runs', { on });
  // @ts-expect-error no such plan
  (await tessera.check(on)).plans.includes('gold');
  // @ts-expect-error a handler may show less, and nobody has no features
  (await createBrowserTessera({ from: { handler: '/' } }).load()).features.reports.rows;
  // @ts-expect-error the fallback is a number
  useValue('reports.rows', { fallback: '10' });
  // @ts-expect-error a switch holds nothing
  await openHold(tessera, 'reports.enabled', { on, amount: 1 });
  // @ts-expect-error an anonymous session has no usage
  await openHold(tessera, 'reports.runs', { on: { anonymous: true }, amount: 1 });
  // @ts-expect-error nobody knows whether it was accepted
  (await openHold(tessera, 'reports.runs', { on, amount: 1 })).use(1);
  // @ts-expect-error a reply has a maximum
  holdUsage(tessera, 'reports.runs', { on });
  // @ts-expect-error a feature is no meter
  useMeter('reports');
}`;

/** Each finds the declarations of every entry in its own way. */
test.each([
  ['node', nodeNext, {}],
  ['a bundler', bundler, {}],
  ['CommonJS', nodeNext, { type: 'commonjs' }],
  [
    'CommonJS of TypeScript 5',
    { module: 'node16', moduleResolution: 'node16', skipLibCheck: true },
    { type: 'commonjs', isOlder: true },
  ],
  [
    'node10',
    { module: 'CommonJS', moduleResolution: 'node10', skipLibCheck: true },
    { type: 'commonjs', isOlder: true },
  ],
] as const)(
  'generated types check paths, values, fallbacks and plans for %s',
  async (name, options, kind) => {
    const files = { 'tessera.gen.ts': generated, 'uses.ts': uses, 'misuses.ts': misuses };
    expect(await compile(name.replaceAll(' ', '-'), files, options, kind)).toBe('');
  },
);

test('without generated types paths are texts, and the fallback says which type is meant', async () => {
  const plain = uses.replace(/export async function useTyped[\s\S]*?\n}\n/, '').replace('?.rows;', ' && 1;');
  const more = `
    // @ts-expect-error the fallback is a number
    export const text = async (): Promise<string> => tessera.get('reports.rows', { on, fallback: 1 });
    // @ts-expect-error there may be no such feature
    export const shownRows = async () => (await browser.load()).features.reports.rows;`;
  expect(await compile('untyped', { 'uses.ts': plain + more }, nodeNext)).toBe('');
});

test('generated types are no script: nothing of the package is loaded by what imports them', () => {
  const imports = [generated, generateTypes({ features: [], plans: [] })].flatMap((text) =>
    text.match(/^import .*/gm),
  );
  expect(imports.every((line) => line?.startsWith('import type {'))).toBe(true);
});

test('10,000 properties compile', async () => {
  const properties = Array.from(
    { length: 50 },
    (_, at) => `p${at}: ${['boolean', 'number', 'string', 'Meter'][at % 4]}`,
  ).join('; ');
  const features = Array.from({ length: 200 }, (_, at) => `'feature-${at}': { ${properties} }`).join('; ');
  const large = `import type { Meter } from 'tessera-sdk';\ndeclare module 'tessera-sdk' { interface Register { features: { ${features} }; plans: 'a' } }`;
  const use = `import { createTessera } from 'tessera-sdk';\nexport const n: number = await createTessera().get('feature-199.p49', { on: { user: 'a' }, fallback: 1 });`;
  const checked = use.replace('p49', 'p45');
  expect(await compile('large', { 'tessera.gen.ts': large, 'use.ts': checked }, bundler)).toBe('');
});

/** Without the command that installs the package, which is installed. */
const withoutInstall = (...args: Parameters<typeof clientExample>) =>
  clientExample(...args).replace(/^npm i http\S+\/sdk\/tessera-sdk-\S+\.tgz\n/, '');

/** The module alone. */
const codeOf = (...args: Parameters<typeof clientExample>) =>
  withoutInstall(...args).replace(/^[\s\S]*<<'END'\n([\s\S]*)\nEND\n[\s\S]*/, '$1');

test('the console’s examples compile, whatever the names in them', async () => {
  const origin = 'https://tessera.example';
  const subjects = [{ user: `O'Brien "\\` }, { token: 'eyJ…' }];
  const cases = (['secret', 'public'] as const).flatMap((type) =>
    subjects.flatMap((subject) =>
      [{}, { key: 'tsr_1', feature: 'reports' }].map((more) => codeOf({ origin, type, subject, ...more })),
    ),
  );
  const files = cases.map((code, at): [string, string] => [`case-${at}.ts`, `${code}\nexport {};`]);
  const environment: [string, string] = [
    'node.d.ts',
    'declare const process: { env: Record<string, string | undefined> };',
  ];
  expect(await compile('examples', Object.fromEntries([...files, environment]), bundler)).toBe('');
});

test('the console’s example runs as it is pasted, and prints what the server answers', async () => {
  const answer = { features: { reports: { allowed: true, properties: {} } }, asOf: 0, validUntil: 60_000 };
  let key: string | undefined;
  const server = createServer(({ headers }, response) => {
    key = headers.authorization;
    response.end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const subject = { user: `O'Brien $HOME "\\` };
  const script = withoutInstall({ origin, type: 'secret', key: 'tsr_sec_1', feature: 'reports', subject });
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder, env: { PATH } });
  server.close();
  expect(stdout.trim()).toBe('true');
  expect(key).toBe('Bearer tsr_sec_1');
});
