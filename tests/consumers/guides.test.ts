// The code of the guides at /docs: what they show compiles strictly and does what they say, against the package's server for tests.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { installSdk } from '#lab/fakes/install-sdk';
import { type ListeningFake, listenFake } from '#lab/fakes/listen-fake';
import { documentedVersion } from '#lab/fixtures/documented-version';
import { root } from '../../dev/tools/run-tool.ts';
import { generateTypes } from '../../packages/engine/artifacts/generate-types.ts';
import type { BrowserTessera } from '../../packages/sdk/browser.ts';
import { createFakeServer, type FakeServer } from '../../packages/sdk/fake-server.ts';
import { createTessera, type Tessera } from '../../packages/sdk/index.ts';
import { webhookRequest } from '../../packages/sdk/webhooks.ts';
import { expectConsole } from '../support/expect-console.ts';
import { writeStandIns } from './stand-ins.ts';
import { typeErrors } from './type-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-guides-'));
const version = documentedVersion();
let fake: FakeServer;
let api: ListeningFake;

beforeAll(async () => {
  const openFeature = ['core', 'ofrep-core', 'ofrep-web-provider', 'server-sdk', 'web-sdk'];
  const types = ['@types/react', '@types/node', 'csstype'];
  await installSdk(folder, ['react', 'vite', ...types, ...openFeature.map((name) => `@openfeature/${name}`)]);
  writeStandIns(folder);
  cpSync(join(root, 'examples/guides'), folder, { recursive: true });
  for (const place of ['testing', 'commonjs'])
    writeFileSync(join(folder, place, 'tessera-version.json'), JSON.stringify(version));
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

describe('Selling', () => {
  test('the server opens pages of Stripe, and says why one was not opened', async () => {
    const { checkout, portal } = await load<{
      checkout(customer: string, price: string): Promise<string>;
      portal(customer: string): Promise<string>;
    }>('selling/checkout.ts');
    await expect(checkout('nobody', 'price_1')).rejects.toThrow('No checkout was opened: customer-unknown');
    fake.grant('ada', 'team');
    await expect(checkout('ada', 'price_1')).rejects.toThrow('No checkout was opened: price-not-sold');
    await expect(portal('ada')).rejects.toThrow('No portal was opened: stripe-customer-needed');
  });
});

describe('Webhooks', () => {
  test('an event is taken once, and what Tessera did not sign is refused', async () => {
    const secret = `whsec_${btoa('a secret of thirty-two bytes, yes')}`;
    vi.stubEnv('TESSERA_WEBHOOK_SECRETS', secret);
    const { tessera } = await load<{ tessera: Tessera }>('webhooks/tessera.ts');
    const refresh = vi.spyOn(tessera, 'refresh');
    const { POST } = await load<{ POST(request: Request): Promise<Response> }>('webhooks/route.ts');
    const environment = { id: 'env_1', name: 'Production', type: 'live' } as const;
    const data = { environment, version: 12, previousVersion: 11, note: null, isRollback: false };
    const event = { type: 'environment.deployed', data } as const;
    for (const _ of [1, 2]) expect((await POST(await webhookRequest(event, secret))).status).toBe(204);
    expect(refresh).toHaveBeenCalledOnce();
    const other = await webhookRequest(event, `whsec_${btoa('another one of thirty-two bytes.')}`);
    expect((await POST(other)).status).toBe(401);
  });
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

test('Lists: a page of customers is one call, whether it asks for them together or row by row', async () => {
  const { tessera } = await load<{ tessera: { refresh(): void } }>('lists/tessera.ts');
  const customers = Array.from({ length: 30 }, (_, at) => `list-${at}@example.com`);
  fake.set('list-3@example.com', { [METER]: { limit: 0 } });
  const { customerBadges } = await load<{
    customerBadges: (
      customers: string[],
    ) => Promise<{ customer: string; plan: string; isExhausted: boolean }[]>;
  }>('lists/customer-badges.ts');
  const badges = await customerBadges(customers);
  expect(badges.filter(({ isExhausted }) => isExhausted).map(({ customer }) => customer)).toEqual([
    'list-3@example.com',
  ]);
  expect(badges[0]).toMatchObject({ customer: 'list-0@example.com', plan: 'team' });
  tessera.refresh();
  const { renderRows } = await load<{ renderRows: (customers: string[]) => Promise<string> }>(
    'lists/rows.ts',
  );
  expect((await renderRows(customers)).match(/<b>exports/g)).toHaveLength(29);
  expect(fake.calls.map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => '/api/v1/access-checks/batch'),
  );
  fake.fail('down', 20);
  tessera.refresh();
  expect((await customerBadges(customers)).every(({ plan }) => plan === 'unknown')).toBe(true);
});

/** Routes decide for this user, whose limit is one export, and for nobody; pages learn what they can do. */
async function expectGuarded(port: number, user: string): Promise<void> {
  const call = (method: string, path: string, by?: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: by ? { 'x-customer': by } : {} });
  fake.set(user, { [METER]: { limit: 1 } });
  const statuses = [
    (await call('POST', '/exports')).status,
    (await call('POST', '/exports', user)).status,
    (await call('POST', '/exports', user)).status,
    (await call('GET', '/public-links')).status,
    (await call('GET', '/public-links', user)).status,
  ];
  expect(statuses).toEqual([401, 200, 402, 403, 200]);
  expect(await (await call('GET', '/entitlements')).json()).toHaveProperty(['features'], {});
  expect(await (await call('GET', '/entitlements', user)).json()).toMatchObject({
    features: { dashboards: { properties: { maxDashboards: 25 } } },
  });
}

test('Express: routes decide, the limit ends, and pages learn what their user can do', async () => {
  vi.stubEnv('PORT', '0');
  const { server } = await load<{ server: Server }>('express/server.ts');
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expectGuarded(port, 'express@example.com');
  const before = process.listeners('SIGTERM');
  (before.at(-1) as () => void)();
  await vi.waitFor(() => expect(server.listening).toBe(false));
});

test('Fastify: hooks guard routes, the limit ends, pages learn what their user can do, and closing ends it', async () => {
  vi.stubEnv('PORT', '0');
  const { app } = await load<{ app: { server: Server } }>('fastify/server.ts');
  const { port } = app.server.address() as AddressInfo;
  await expectGuarded(port, 'fastify@example.com');
  (process.listeners('SIGTERM').at(-1) as () => void)();
  await vi.waitFor(() => expect(app.server.listening).toBe(false));
});

test('Vite: through its proxy, a page shows what the session’s user can do, and nothing else of them', async () => {
  vi.stubEnv('PORT', '0');
  const { server } = await load<{ server: Server }>('vite/server.ts');
  if (!server.listening) await once(server, 'listening');
  vi.stubEnv('API_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { createServer } = await import('vite');
  const configFile = join(folder, 'vite/vite.config.ts');
  const vite = await createServer({ root: join(folder, 'vite'), configFile, logLevel: 'error' });
  await vite.listen(0);
  const origin = `http://127.0.0.1:${(vite.httpServer!.address() as AddressInfo).port}`;
  let cookie = 'customer=vite@example.com';
  const button = { disabled: false };
  const page = { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('document', { ...page, querySelector: () => button });
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, options: RequestInit) =>
    real(url.startsWith('/') ? origin + url : url, {
      ...options,
      ...(url.startsWith('/') && { headers: { cookie } }),
    }),
  );
  try {
    const { tessera } = await load<{ tessera: BrowserTessera }>('vite/src/tessera.ts');
    await load('vite/src/main.ts');
    expect(button.disabled).toBe(true);
    await vi.waitFor(() => expect(button.disabled).toBe(false));
    const { access } = tessera.getState();
    expect([Object.keys(access?.features ?? {}).sort(), access?.plans]).toEqual([
      ['dashboards', 'data-exports'],
      [],
    ]);
    cookie = '';
    tessera.reset();
    expect(button.disabled).toBe(true);
    expect((await tessera.load()).features).toEqual({});
  } finally {
    await vite.close();
    server.close();
  }
});

test('React: a page renders the user’s answers', async () => {
  vi.stubEnv('VITE_TESSERA_URL', api.url);
  vi.stubEnv('VITE_TESSERA_PUBLIC_KEY', fake.publicKey);
  const stored = new Map([['token', fake.token('react@example.com')]]);
  const getItem = (name: string) => stored.get(name) ?? null;
  const removeItem = (name: string) => stored.delete(name);
  vi.stubGlobal('sessionStorage', { getItem, removeItem });
  const { App } = await load<{ App: () => ReactNode }>('react/app.tsx');
  const { tessera } = await load<{ tessera: { load: () => Promise<unknown> } }>('react/tessera.ts');
  const render = () => renderToString(createElement(App)).replaceAll('<!-- -->', '');
  expect(render()).toBe('<menu><li>Up to 3 dashboards</li><li>…</li></menu>');
  await tessera.load();
  expect(render()).toBe('<menu><li>Up to 25 dashboards</li><li>Share</li><li>Export</li></menu>');
});

test('signing in: a renewed token keeps the answers, and another user’s are never shown to the next', async () => {
  vi.stubEnv('VITE_TESSERA_URL', api.url);
  vi.stubEnv('VITE_TESSERA_PUBLIC_KEY', fake.publicKey);
  type Session = { userId: string; token: string } | null;
  const { auth } = await load<{ auth: { change: (session: Session) => void } }>('sign-in/auth.ts');
  const { tessera } = await load<{ tessera: BrowserTessera }>('sign-in/tessera.ts');
  const { App } = await load<{ App: () => ReactNode }>('sign-in/app.tsx');
  const sessionOf = (email: string, jti: string) => ({
    userId: email,
    token: fake.token(email, { sub: email, jti }),
  });
  const shown = () => tessera.getState().access?.get('dashboards.maxDashboards') ?? null;
  fake.set('ann@example.com', { 'dashboards.maxDashboards': 7 });
  auth.change(sessionOf('ann@example.com', 'first'));
  await tessera.load();
  expect(shown()).toBe(7);
  auth.change(sessionOf('ann@example.com', 'renewed'));
  expect(shown()).toBe(7);
  auth.change(sessionOf('ben@example.com', 'first'));
  expect(shown()).toBeNull();
  await tessera.load();
  expect(shown()).toBe(25);
  auth.change(null);
  expect(shown()).toBeNull();
  await tessera.load();
  expect(shown()).toBe(3);
  expect(renderToString(createElement(App))).toContain('disabled');
});

test('context: it is sent with the check, and a workflow decides with it', async () => {
  type MayShare = (project: { owner: string; region: string; isArchived: boolean }) => Promise<boolean>;
  const { mayShare } = await load<{ mayShare: MayShare }>('context/share.ts');
  const { GET } = await load<{ GET: (request: Request) => Promise<Response> }>('context/route.ts');
  const { default: workflow } = await load<{ default: (input: object) => unknown }>('context/workflow.ts');
  expect(await mayShare({ owner: 'ctx@example.com', region: 'eu', isArchived: false })).toBe(true);
  expect(fake.calls.at(-1)?.body).toMatchObject({ context: { region: 'eu', isArchived: false } });
  await GET(new Request('https://app.example/archive/1', { headers: { 'x-customer': 'ctx@example.com' } }));
  expect(fake.calls.at(-1)?.body).toMatchObject({ context: { isArchived: true } });
  expect(
    [{}, { region: 'eu' }, { region: 'eu', isArchived: true }].map((context) => workflow({ context })),
  ).toEqual([[], ['team'], { plans: ['free'], mode: 'replace' }]);
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

test('errors: a customer who is unknown is created, and what nobody can mend is told', async () => {
  const { grant } = await load<{ grant: (...given: [string, string, string]) => Promise<string> }>(
    'errors/grant.ts',
  );
  const answers: object[] = [];
  const calls: string[] = [];
  const original = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(new URL(url).pathname);
    const body = answers.shift() ?? { status: 'success' };
    return Response.json(body, { status: 'code' in body ? 409 : 200 });
  });
  const refused = (code: string) => ({ code, message: 'Refused', requestId: 'req_guide' });
  answers.push(refused('customer-unknown'));
  expect(await grant('ada@example.com', 'team', 'Invoice 118')).toBe('Granted');
  const path = '/api/v1/customers/ada%40example.com';
  expect(calls).toEqual([`${path}/grants/team`, path, `${path}/grants/team`]);
  answers.push(refused('plan-unknown'));
  expect(await grant('ada', 'gold', 'Invoice 118')).toBe('There is no plan gold');
  answers.push(refused('set-for-all-environments'));
  expect(await grant('ada', 'team', 'Invoice 118')).toBe('Not granted: Refused (req_guide)');
  vi.stubGlobal('fetch', original);

  expectConsole('error', /The key is revoked/);
  const { plansOf } = await load<{ plansOf: (user: string) => Promise<string> }>('errors/check.ts');
  expect(await plansOf('ada')).toBe('team');
  fake.fail('down', 2);
  expect(await plansOf('bob')).toBe('Unknown for now: network');
  fake.fail(401, 2);
  expect(await plansOf('eve')).toBe('Replace TESSERA_KEY');
});

test('usage: it is taken once, held, counted at its time, given back, and handed over when nobody takes it', async () => {
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

  const { exportFiles } = await load<{
    exportFiles: (
      user: string,
      files: readonly string[],
      make: (file: string) => Promise<void>,
    ) => Promise<number>;
  }>('usage/holds.ts');
  fake.set('dan', { [METER]: { limit: 3 } });
  const made: string[] = [];
  await expect(
    exportFiles('dan', ['a', 'bad', 'c', 'd'], async (file) => {
      if (file === 'bad') throw new Error('Disk full');
      made.push(file);
    }),
  ).rejects.toThrow('Disk full');
  expect(fake.used('dan', METER)).toBe(1);
  expect(await exportFiles('dan', ['e', 'f', 'g'], async (file) => void made.push(file))).toBe(2);
  await expect(exportFiles('dan', ['h'], async () => {})).rejects.toThrow('No exports left');
  expect([made, fake.used('dan', METER)]).toEqual([['a', 'e', 'f'], 3]);

  const { giveCredits } = await load<{
    giveCredits: (customer: string, invoiceId: string, credits: number) => Promise<number>;
  }>('usage/credits.ts');
  fake.set('bea', { [METER]: { limit: 5 } });
  expect(await giveCredits('bea', 'inv-1', 3)).toBe(3);
  expect(await exportReport('bea', 'r9')).toBe('now');
  expect(await giveCredits('bea', 'inv-1', 3)).toBe(2);

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

test('CommonJS: a server requires the client, and the test that it shows passes', async () => {
  const requireCommonJs = createRequire(join(folder, 'commonjs/'));
  vi.stubEnv('PORT', '0');
  const { server } = requireCommonJs('./server.cjs') as { server: Server };
  if (!server.listening) await once(server, 'listening');
  fake.set('commonjs@example.com', { [METER]: { limit: 1 } });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async () => (await fetch(url, { headers: { 'x-customer': 'commonjs@example.com' } })).status;
  expect([await ask(), await ask()]).toEqual([200, 402]);
  server.close();
  const shown: (() => Promise<void>)[] = [];
  vi.stubGlobal('test', (_name: string, run: () => Promise<void>) => shown.push(run));
  vi.stubGlobal('expect', expect);
  requireCommonJs('./exports.test.cjs');
  expect(shown).toHaveLength(1);
  await shown[0]!();
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
