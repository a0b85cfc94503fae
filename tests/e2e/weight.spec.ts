// Sign-in and the first screen after it stay light, and load what `npm run build` says that they do. Nothing moves while a page loads.
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import type { JwtIntegration } from '#contracts/console/integrations';
import type { Plan } from '#contracts/console/plans';
import {
  FIRST_SCREEN_LIMIT_BYTES,
  type FileSize,
  measureConsole,
  SIGN_IN_LIMIT_BYTES,
} from '../../dev/build/console-sizes.ts';
import { ensureTokenIssuer } from '../../dev/demo/connect-token-issuer.ts';
import { createDeployed, createWorkflow } from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { callApi, createOrganisation, join, newPerson, workspaceOf } from './support/people.ts';
import { smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

/** Toasts, and what listens to new events, are loaded once the page is shown. */
const LOADED_AFTER = /\/(?:toaster|live-listener)-/;

/** Collects the files of these kinds that the page loads from now on. */
function watchFiles(page: Page, kinds: readonly string[]) {
  const files = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!kinds.includes(response.request().resourceType()) || LOADED_AFTER.test(pathname)) return;
    files.set(
      pathname.slice(1),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  return async (limitBytes: number, measured: readonly FileSize[]) => {
    const sizes = await Promise.all(files.values());
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limitBytes);
    expect([...files.keys()].sort()).toEqual(measured.map(({ file }) => file).sort());
  };
}

test('the first screen after sign-in loads at most 250 KB of compressed scripts and styles', async ({
  page,
}) => {
  await join(page.request, newPerson('Lena Light'));
  await createOrganisation(page.request, 'Light Works');
  const expectFiles = watchFiles(page, ['script', 'stylesheet']);
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
  const { firstScreen, firstScreenStyles } = measureConsole();
  await expectFiles(FIRST_SCREEN_LIMIT_BYTES, [...firstScreen, ...firstScreenStyles]);
});

test('sign-in loads less than half of that in scripts, and the console once somebody types', async ({
  page,
}) => {
  const expectFiles = watchFiles(page, ['script']);
  await page.goto('/signin', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Email')).toBeVisible();
  await expectFiles(SIGN_IN_LIMIT_BYTES, measureConsole().signIn);
  const loaded = page.waitForResponse(/assets\/console-[^/]+\.js$/);
  await page.getByLabel('Email').pressSequentially('a');
  await loaded;
});

/** Pages without forms: web/bundling/chunks.ts. */
const LISTS = [
  'features',
  'plans',
  'customers',
  'workflows',
  'observe/events',
  'observe/live',
  'observe/metrics',
];

test('a list loads at most five scripts, none of forms, and a page with forms one more', async ({ page }) => {
  await join(page.request, newPerson('Fay Few'));
  const orgId = await createOrganisation(page.request, 'Few Works');
  const plan = { name: 'Pro', slug: 'pro' };
  const { planId } = await callApi<{ planId: string }>(
    page.request,
    'POST',
    `/api/orgs/${orgId}/plans`,
    plan,
  );
  let scripts: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const isCounted = response.request().resourceType() === 'script' && !LOADED_AFTER.test(pathname);
    if (isCounted && !pathname.includes('/apply-theme-')) scripts.push(pathname);
  });
  for (const path of [
    ...['', 'features', 'plans', `plans/${planId}/manage`, 'customers', 'customers/fay@people.example'],
    ...['workflows', 'environments/versions', 'integrations', 'team', 'settings', 'billing'],
    ...['observe/events', 'observe/live', 'observe/metrics'],
  ]) {
    scripts = [];
    await page.goto(`/o/${orgId}/${path}`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(scripts.length, `${path} ${scripts.join(' ')}`).toBeGreaterThan(2);
    const hasForms = scripts.some((script) => script.includes('/forms-'));
    expect(scripts.length, `${path} ${scripts.join(' ')}`).toBeLessThanOrEqual(hasForms ? 6 : 5);
    if (LISTS.includes(path)) expect(hasForms, path).toBe(false);
  }
});

/** Runs in the page. Adds up the layout shifts that no input has caused. */
function watchShifts(): void {
  const shifts = { sum: 0, moved: [] as string[] };
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      shifts.sum += entry.value;
      shifts.moved.push(...entry.sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? ''));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Below this, a change of a pixel's fraction. */
const STILL = 0.0005;

/** A path, of the console or below the organisation's, and what happens before it is opened. */
type Opening = readonly [path: string, before?: () => Promise<unknown>];

/** Opens each on a wide and on a narrow screen, for the first time and again. */
async function expectStill(page: Page, orgId: string, openings: readonly Opening[]): Promise<void> {
  await page.addInitScript(watchShifts);
  const visit = async (path: string, width: number) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(path.startsWith('/') ? path : `/o/${orgId}/${path}`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const loading = '.mantine-Skeleton-root[data-visible], .mantine-Loader-root, fieldset[aria-busy]';
    await expect(page.locator(loading)).toHaveCount(0);
    const found = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts);
    expect(found.sum, `${path} ${width} ${JSON.stringify(found)}`).toBeLessThan(STILL);
  };
  for (const [path, before] of openings) {
    await before?.();
    for (const widths of path === ''
      ? [
          [1440, 390],
          [390, 1440],
        ]
      : [[390, 1440]]) {
      await page.evaluate(() => localStorage.clear()).catch(() => {}); // Before the first page there is no storage.
      for (const width of widths) await visit(path, width);
    }
  }
}

test('nothing moves while a page loads, on a wide and on a narrow screen, on the first visit and the next', async ({
  page,
}) => {
  await join(page.request, newPerson('Stella Still'));
  const orgId = await createOrganisation(page.request, 'Still Works');
  await callApi(page.request, 'POST', `/api/orgs/${orgId}/plans`, { name: 'Pro', slug: 'pro' });
  const described = { name: 'Team', slug: 'team', description: 'For teams.' };
  const plan = await callApi<{ planId: string }>(page.request, 'POST', `/api/orgs/${orgId}/plans`, described);
  const dismiss = { quickstartStatus: 'dismissed' };
  // The list is there before the counts that decide what an empty one says.
  const delayCounts = () =>
    page.route('**/event-histogram*', async (route) => {
      await sleep(600);
      await route.continue();
    });
  await expectStill(page, orgId, [
    [''], // With the quick start's guide.
    ['', () => callApi(page.request, 'PUT', `/api/orgs/${orgId}/quickstart`, dismiss)],
    ['plans'],
    ['customers'],
    ['customers/stella@people.example'],
    ['observe/events', delayCounts],
    // Forms are there before their values.
    ['settings'],
    [`plans/${plan.planId}/manage`],
  ]);
});

test('nothing moves while a page of an organisation in use or of the documentation loads', async ({
  page,
}) => {
  await join(page.request, newPerson('Stan Still'));
  const orgId = await createOrganisation(page.request, 'Filled Works');
  await smallWorkspace(page, orgId).fill();
  const workspace = workspaceOf(page.request, orgId);
  await createWorkflow(workspace, { name: 'Trial', type: 'dynamic-provisioning' });
  await ensureTokenIssuer(workspace);
  const [issuer] = await callApi<JwtIntegration[]>(
    page.request,
    'GET',
    `/api/orgs/${orgId}/integrations/jwt`,
  );
  const { envId, secretKey } = await createDeployed(workspace, { name: 'Production', type: 'live' });
  const countCall = async () => {
    await callPublicApi(page, secretKey, { userIdentifier: 'stan@people.example' });
    const criteria = encodeURIComponent(JSON.stringify({ range: '24h' }));
    const path = `/api/orgs/${orgId}/event-metrics?criteria=${criteria}`;
    const readTotal = async () =>
      (await callApi<{ totals: { total: number } }>(page.request, 'GET', path)).totals.total;
    await expect.poll(readTotal).toBeGreaterThan(0);
  };
  const [starter] = await callApi<Plan[]>(page.request, 'GET', `/api/orgs/${orgId}/plans`);
  await expectStill(page, orgId, [
    ['features'],
    ['plans/compare'],
    [`plans/${starter?.planId}/edit-features`],
    ['workflows'],
    ['integrations'],
    [`integrations/jwt/${issuer?.id}`],
    [`environments/environments/${envId}/keys`],
    ['observe/metrics'], // Without calls.
    ['observe/metrics', countCall],
    ['team'],
    ['team/activity'],
    ['billing'],
    ['/quickstart'],
    ['/docs'],
    ['/api-docs'],
  ]);
});

test('what stands for a page that loads does not pulse for those who want less motion', async ({ page }) => {
  await join(page.request, newPerson('Calla Calm'));
  const orgId = await createOrganisation(page.request, 'Calm Works');
  await page.route(`**/api/orgs/${orgId}/plans*`, () => undefined); // Never answered.
  await page.goto(`/o/${orgId}/plans`);
  await expect(page.locator('.mantine-Skeleton-root[data-visible]').first()).toBeVisible();
  const endless = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY).length,
  );
  expect(endless).toBe(0);
});

/** Where a text is drawn, and what it says. */
const drawnText = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { x, y, width, height } = range.getBoundingClientRect();
    return [element.textContent, ...[x, y + height / 2, width].map(Math.round)];
  });

test('the heading that comes with the HTML is where the page draws it, also beside a collapsed sidebar', async ({
  page,
  baseURL,
}) => {
  await join(page.request, newPerson('Hedda Early'));
  const orgId = await createOrganisation(page.request, 'Early Works');
  let release = () => {};
  await page.route('**/assets/console-*.js', async (route) => {
    await new Promise<void>((done) => {
      release = done;
    });
    await route.continue();
  });
  for (const [width, path, collapsed] of [
    [1440, '', false],
    [1440, 'plans', true],
    [1024, 'observe/events', false],
    [390, 'customers', false],
    [390, 'customers/hedda@early.example', false],
  ] as const) {
    await page
      .context()
      .addCookies([{ name: 'sidebar_state', value: `${!collapsed}`, url: String(baseURL) }]);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/o/${orgId}/${path}`, { waitUntil: 'commit' });
    await expect(page.locator('.first-head')).toHaveCSS('position', 'relative');
    await page.waitForFunction(async () => (await document.fonts.load('1em "Inter Variable"')).length > 0);
    const early = page.locator('.first-head').locator('b, p').filter({ hasText: /./ });
    await expect(early.first()).toBeVisible();
    const texts = await Promise.all((await early.all()).map(drawnText));
    release();
    const late = page.locator('main header');
    for (const [text, ...box] of texts) {
      const drawn = late.getByText(String(text), { exact: true }).first();
      await expect(drawn).toBeVisible();
      expect([text, ...(await drawnText(drawn)).slice(1)], path).toEqual([text, ...box]);
    }
    await expect(page.locator('.first-head')).toHaveCount(0);
  }
});

test('files are cached for a year, pages are revalidated, and a missing file is not found', async ({
  request,
}) => {
  const head = async (path: string, headers = {}) => {
    const response = await request.get(path, { headers });
    const {
      'cache-control': cache,
      'content-type': type,
      'content-security-policy': policy,
    } = response.headers();
    return { status: response.status(), cache, type, policy };
  };
  const page = {
    status: 200,
    type: expect.stringContaining('text/html'),
    cache: expect.stringContaining('revalidate'),
  };
  const policy = expect.stringContaining("script-src 'self'");
  for (const path of ['/', '/signin', '/o/org_1/plans/pro', '/o/org_1/customers/ann@tests.js', '/api-docs']) {
    expect(await head(path, { 'sec-fetch-dest': 'document' })).toMatchObject({ ...page, policy });
  }
  const [script] = measureConsole().firstScreen;
  const kept = {
    status: 200,
    cache: expect.stringContaining('immutable'),
    type: expect.stringContaining('javascript'),
  };
  expect(await head(`/${script?.file}`)).toMatchObject(kept);
  expect(await head('/assets/console-0a1b2c3d.js')).toMatchObject({ status: 404, cache: 'no-store' });
  const image = await head('/logo.png', { 'sec-fetch-dest': 'image' });
  expect(image).toMatchObject({ status: 404, cache: 'no-store' });
});
