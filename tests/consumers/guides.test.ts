// The code of the guides at /docs: what they show compiles strictly and does what they say, against the package's server for tests.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { root } from '../../dev/tools/run-tool.ts';
import { generateTypes } from '../../packages/engine/artifacts/generate-types.ts';
import { createTessera } from '../../packages/sdk/index.ts';
import { createFakeServer, type FakeServer } from '../../packages/sdk/testing.ts';
import { documentedVersion } from '../support/documented-version.ts';
import { expectConsole } from '../support/expect-console.ts';
import { installSdk } from './install-sdk.ts';
import { type ListeningFake, listenFake } from './listen-fake.ts';
import { writeStandIns } from './stand-ins.ts';
import { typeErrors } from './type-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-guides-'));
const version = documentedVersion();
let fake: FakeServer;
let api: ListeningFake;

beforeAll(async () => {
  const openFeature = ['core', 'ofrep-core', 'ofrep-web-provider', 'server-sdk', 'web-sdk'];
  const types = ['@types/react', '@types/node', 'csstype'];
  await installSdk(folder, ['react', ...types, ...openFeature.map((name) => `@openfeature/${name}`)]);
  writeStandIns(folder);
  cpSync(join(root, 'examples/guides'), folder, { recursive: true });
  writeFileSync(join(folder, 'testing/tessera-version.json'), JSON.stringify(version));
  api = await listenFake(() => fake);
  vi.stubEnv('TESSERA_URL', api.url);
});
beforeEach(() => {
  fake = createFakeServer(version);
  vi.stubEnv('TESSERA_KEY', fake.secretKey);
});
afterAll(() => {
  api?.server.close();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

const load = <Module>(path: string) =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href) as Promise<Module>;

const METER = 'data-exports.exports';

test('every module compiles strictly with the types of the documented workspace', async () => {
  expect(readFileSync(join(folder, 'tessera.gen.ts'), 'utf8')).toBe(generateTypes(version));
  const options = { module: 'ESNext', moduleResolution: 'bundler', jsx: 'react-jsx', types: ['node'] };
  const more = { skipLibCheck: true, resolveJsonModule: true, allowImportingTsExtensions: true };
  // OpenFeature's own provider does not fit its SDK with it.
  const exact = { exactOptionalPropertyTypes: false };
  expect(await typeErrors(folder, { ...options, ...more, ...exact })).toBe('');
});

describe('Next.js', () => {
  const signIn = (user: string | null) =>
    vi.stubGlobal('requestCookies', user === null ? {} : { customer: { value: user } });
  interface Layout {
    default: (props: { children: ReactNode }) => Promise<ReactNode>;
  }
  const render = async () => {
    const { default: layout } = await load<Layout>('next/app/layout.tsx');
    const { ExportButton } = await load<{ ExportButton: () => ReactNode }>('next/app/export-button.tsx');
    return renderToString(await layout({ children: createElement(ExportButton) }));
  };

  test('the first HTML has the answers of the signed-in customer, and of nobody', async () => {
    signIn('next@example.com');
    expect((await render()).replaceAll('<!-- -->', '')).toContain('<button type="button">Export (100 left)');
    signIn(null);
    expect(await render()).toContain('<button type="button" disabled="">Export</button>');
  });

  test('an action takes from the limit until none is left, and the route says so at once', async () => {
    signIn('route@example.com');
    fake.set('route@example.com', { [METER]: { limit: 1 } });
    const { exportReport } = await load<{ exportReport: () => Promise<string | null> }>(
      'next/app/export-report.ts',
    );
    const { GET } = await load<{ GET: (request: Request) => Promise<Response> }>(
      'next/app/entitlements/route.ts',
    );
    const exported = async () => {
      const answer = await GET(new Request('https://app.example/entitlements'));
      const body = (await answer.json()) as {
        features: Record<string, { properties: Record<string, { allowed: boolean }> }>;
      };
      return body.features['data-exports']?.properties.exports?.allowed;
    };
    expect(await exported()).toBe(true);
    expect(await exportReport()).toContain('month,total');
    expect(await exported()).toBe(false);
    expect(await exportReport()).toBeNull();
    signIn(null);
    expect(await exported()).toBe(false);
    expect(await exportReport()).toBeNull();
  });
});

test('Express: routes decide, the limit ends, and pages learn what their user can do', async () => {
  vi.stubEnv('PORT', '0');
  const { server } = await load<{ server: Server }>('express/server.ts');
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = (method: string, path: string, user?: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: user ? { 'x-customer': user } : {} });
  fake.set('express@example.com', { [METER]: { limit: 1 } });
  const statuses = [
    (await call('POST', '/exports')).status,
    (await call('POST', '/exports', 'express@example.com')).status,
    (await call('POST', '/exports', 'express@example.com')).status,
    (await call('GET', '/public-links')).status,
    (await call('GET', '/public-links', 'express@example.com')).status,
  ];
  expect(statuses).toEqual([401, 200, 402, 403, 200]);
  expect(await (await call('GET', '/entitlements')).json()).toHaveProperty(['features'], {});
  expect(await (await call('GET', '/entitlements', 'express@example.com')).json()).toMatchObject({
    features: { dashboards: { properties: { maxDashboards: 25 } } },
  });
  const before = process.listeners('SIGTERM');
  (before.at(-1) as () => void)();
  await vi.waitFor(() => expect(server.listening).toBe(false));
});

test('React: a page renders the user’s answers, and a sign-out drops them', async () => {
  vi.stubEnv('VITE_TESSERA_URL', api.url);
  vi.stubEnv('VITE_TESSERA_PUBLIC_KEY', fake.publicKey);
  const stored = new Map([['token', fake.token('react@example.com')]]);
  const getItem = (name: string) => stored.get(name) ?? null;
  const removeItem = (name: string) => stored.delete(name);
  vi.stubGlobal('sessionStorage', { getItem, removeItem });
  const { App } = await load<{ App: () => ReactNode }>('react/app.tsx');
  const { tessera } = await load<{ tessera: { load: () => Promise<unknown> } }>('react/tessera.ts');
  const { signOut } = await load<{ signOut: () => void }>('react/sign-out.ts');
  const render = () => renderToString(createElement(App)).replaceAll('<!-- -->', '');
  expect(render()).toBe('<menu><li>Up to 3 dashboards</li><li>…</li></menu>');
  await tessera.load();
  expect(render()).toBe('<menu><li>Up to 25 dashboards</li><li>Share</li><li>Export</li></menu>');
  signOut();
  await tessera.load();
  expect(render()).toBe('<menu><li>Up to 3 dashboards</li><li>Upgrade to export</li></menu>');
});

test('outages: each call ends with its fallback, what was answered stays, and the app is told', async () => {
  type Decide = Record<
    'mayExport' | 'mayInviteGuests' | 'maxDashboards',
    (user: string) => Promise<boolean | number>
  >;
  const { mayExport, mayInviteGuests, maxDashboards } = await load<Decide>('outages/decide.ts');
  const { degraded } = await load<{ degraded: string[] }>('outages/tessera.ts');
  const { badgeFor, onCheckoutCompleted } = await load<{
    badgeFor: (user: string) => string;
    onCheckoutCompleted: (user: string) => void;
  }>('outages/peek.ts');
  expect(await maxDashboards('known')).toBe(25);
  fake.fail('down', 100);
  expect([await mayExport('new'), await mayInviteGuests('new'), await maxDashboards('new')]).toEqual([
    true,
    false,
    3,
  ]);
  expect(await mayInviteGuests('known')).toBe(true);
  expect(degraded).toContain('fallback: network');
  expect([badgeFor('new'), badgeFor('known')]).toEqual(['', '100 exports left']);
  onCheckoutCompleted('known');
  expect(badgeFor('known')).toBe('');
});

test('usage: it is taken once, counted at its time, given back, and handed over when nobody takes it', async () => {
  const { exportReport } = await load<{
    exportReport: (user: string, id: string) => Promise<string>;
  }>('usage/consume.ts');
  const { recordExports, finish } = await load<{
    recordExports: (user: string, by: number, at: Date) => void;
    finish: () => Promise<void>;
  }>('usage/count.ts');
  const seats = await load<{
    takeSeat: (account: string, member: string) => Promise<boolean>;
    freeSeat: (account: string, member: string) => void;
  }>('usage/seats.ts');
  expect(await exportReport('ada', 'r1')).toBe('now');
  expect(await exportReport('ada', 'r1')).toBe('now');
  expect(fake.used('ada', METER)).toBe(1);
  fake.set('ada', { [METER]: { limit: 1 } });
  await expect(exportReport('ada', 'r2')).rejects.toThrow('No exports left');

  recordExports('bea', 5, new Date(Date.now() - 3_600_000));
  await finish();
  expect(fake.used('bea', METER)).toBe(5);
  const { updates } = fake.calls.at(-1)!.body as { updates: { ageMs: number }[] };
  expect(updates[0]!.ageMs).toBeGreaterThan(3_500_000);

  expect(await seats.takeSeat('acme', 'mia')).toBe(true);
  expect(await seats.takeSeat('acme', 'mia')).toBe(true);
  const used = async () =>
    (await createTessera({ cache: false }).check({ user: 'acme' })).get('team-seats.seats');
  expect(await used()).toMatchObject({ used: 1, remaining: 9 });
  seats.freeSeat('acme', 'mia');
  await finish();
  expect(await used()).toMatchObject({ used: 0 });

  expectConsole('error', /The key is revoked/);
  fake.fail(401);
  recordExports('eve', 2, new Date());
  await finish();
  expect(fake.used('eve', METER)).toBe(0);
  const { resend } = await load<{ resend: () => void }>('usage/resend.ts');
  resend();
  await finish();
  expect(fake.used('eve', METER)).toBe(2);
});

test('testing: the tests that it shows pass', async () => {
  const file = join(folder, 'testing/exports.test.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);
  expect(stdout).toContain('# pass 3\n# fail 0\n');
});

test('OpenFeature: every language has the same address, key, customer and flags, which the workspace has', () => {
  const flags = version.features.flatMap(({ slug, properties }) => [
    slug,
    ...properties.map(({ key }) => `${slug}.${key}`),
  ]);
  const onServers = readdirSync(join(root, 'examples/guides/openfeature')).filter(
    (name) => name !== 'browser.ts',
  );
  expect(onServers).toHaveLength(7);
  for (const name of onServers) {
    const text = readFileSync(join(root, 'examples/guides/openfeature', name), 'utf8');
    expect(text, name).toContain('https://tessera.example');
    expect(text, name).toMatch(/Bearer|WithBearerToken/);
    expect(text, name).toContain('TESSERA_KEY');
    expect(text, name).toContain('ada@example.com');
    const named = [...text.matchAll(/["'/]((?:data-exports|dashboards|team-seats)[\w.-]*)/g)];
    expect(named.length, name).toBeGreaterThan(0);
    for (const [, flag] of named) expect(flags, name).toContain(flag);
  }
});
