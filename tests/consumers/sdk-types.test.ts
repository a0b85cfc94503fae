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
import { generateTypes } from '../../packages/engine/artifacts/generate-types.ts';
import { clientExample } from '../../web/values/client-example.ts';
import { installSdk } from './install-sdk.ts';
import { typeErrors } from './type-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-consumer-'));

beforeAll(async () => {
  await installSdk(folder, ['react', '@types/react', 'csstype']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the compiler says about a project; empty if it compiles. */
async function compile(name: string, files: Record<string, string>, options: object): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
  return typeErrors(project, options);
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
const tessera = createTessera({ timeoutMs: 500, waitUntil: undefined });
const on = { user: 'ada' };
const can: boolean = await tessera.can('reports', { on, fallback: false });
await tessera.can('team-seats.enabled', { on, fallback: false });
await tessera.can('reports.runs', { on: { anonymous: true }, fallback: false });
const rows: number = await tessera.get('reports.rows', { on, fallback: 10 });
const format: string = await tessera.get('reports.format', { on, fallback: 'csv' });
const peeked: number | undefined = tessera.peek('reports.rows', { on })?.value;
const verdict: boolean | undefined = tessera.peek('reports', { on })?.value;
const key: string = tessera.count('reports.runs', { on, by: 2 });
const { meter }: { meter: Meter | null } = await tessera.consume('reports.runs', { on, fallback: 'deny' });
const access = await tessera.check(on);
const limit: number = access.features.reports.rows;
const plans: readonly Plan[] = access.plans;
const dotted: number = await tessera.get('1-"hostile\\\\.a.b-c', { on, fallback: 1 });
export { dotted, can, rows, format, peeked, verdict, key, meter, limit, plans };`;

const misuses = `
import { createTessera } from 'tessera-sdk';
const tessera = createTessera();
const on = { user: 'ada' };
// @ts-expect-error a fallback is required
await tessera.can('reports', { on });
// @ts-expect-error no such feature
await tessera.can('exports', { on, fallback: false });
// @ts-expect-error no such property
await tessera.get('reports.columns', { on, fallback: 1 });
// @ts-expect-error a number is nothing to allow
await tessera.can('reports.rows', { on, fallback: false });
// @ts-expect-error the fallback is a number
await tessera.get('reports.rows', { on, fallback: '10' });
// @ts-expect-error a switch counts nothing
tessera.count('reports.enabled', { on });
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
export {};`;

test.each([
  ['node', nodeNext],
  ['a bundler', bundler],
])('generated types check paths, values, fallbacks and plans for %s', async (name, options) => {
  const files = { 'tessera.gen.ts': generated, 'uses.ts': uses, 'misuses.ts': misuses };
  expect(await compile(name.replace(' ', '-'), files, options)).toBe('');
});

test('without generated types paths are texts', async () => {
  const plain = uses
    .replaceAll(/: (number|string)( \| undefined)? =/g, ' =')
    .replace(': number =', ' =')
    .replace('access.features.reports.rows', '1');
  const cast = plain
    .replace('const dotted: number', 'const dotted')
    .replace('const peeked: number | undefined', 'const peeked')
    .replace('const verdict: boolean | undefined', 'const verdict');
  expect(await compile('untyped', { 'uses.ts': cast }, nodeNext)).toBe('');
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
