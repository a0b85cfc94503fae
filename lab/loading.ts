// `npm run loading [-- name ...]`: how long pages of a running server (TESSERA_URL, default port 4001) take on a slow computer: a
// processor slowed down four times, a cable connection, with an empty cache (cold), on the second visit (warm), and on the third (hot),
// when the browser has kept the compiled code, too. Names select pages. Times depend on what else the machine does; bytes, scripts and
// layout shifts do not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { signInToDemo } from '../dev/demo/sign-in-to-demo.ts';
import { chromiumLaunchOptions } from '../dev/tools/chromium.ts';
import { ensureKnown } from '../dev/tools/nearest-name.ts';
import { readOptions } from '../dev/tools/read-options.ts';
import { findServer } from '../dev/tools/running-server.ts';

const { positionals: chosen } = readOptions('loading', {}, 'names of pages');

const CPU_SLOWDOWN = 4;
/** Lighthouse's cable profile: 5 Mbit/s down, 1 Mbit/s up, 28 ms per round trip. */
const CABLE = {
  offline: false,
  latency: 28,
  downloadThroughput: (5 * 1024 * 1024) / 8,
  uploadThroughput: (1024 * 1024) / 8,
};
const GIVE_UP_MS = 60_000;
/** A page that has not changed for so long has settled. */
const QUIET_MS = 700;

interface PageUnderTest {
  readonly name: string;
  /** With `:orgId`, `:planId` and `:customer`. */
  readonly path: string;
  /** Without a session. */
  readonly isPublic?: true;
}

const pages: readonly PageUnderTest[] = [
  { name: 'sign-in', path: '/signin', isPublic: true },
  { name: 'dashboard', path: '/o/:orgId/' },
  { name: 'plans', path: '/o/:orgId/plans' },
  { name: 'plan', path: '/o/:orgId/plans/:planId/manage' },
  { name: 'customers', path: '/o/:orgId/customers' },
  { name: 'customer', path: '/o/:orgId/customers/:customer' },
  { name: 'events', path: '/o/:orgId/observe/events' },
];

ensureKnown(
  chosen,
  pages.map(({ name }) => name),
);
const url = await findServer();

interface Visit {
  /** Until the page has its heading and no loader, in milliseconds. */
  readonly contentMs: number;
  readonly layoutShift: number;
  /** Transferred. */
  readonly bytes: number;
  readonly scripts: number;
  /** Transferred. */
  readonly scriptBytes: number;
  /** Calls of the API before the content, and how many of them began after another had ended. */
  readonly calls: number;
  readonly late: number;
}

/** Runs in the page. A page has its content once it has a heading and neither a skeleton nor a spinner, for good. */
function watchLoading(): void {
  const state = { contentAt: 0, shift: 0 };
  Object.assign(window, { loadingState: state });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (!entry.hadRecentInput) state.shift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const isLoading = document.querySelector('.mantine-Skeleton-root[data-visible], .mantine-Loader-root');
    const hasContent = document.querySelector('h1') !== null && isLoading === null;
    if (!hasContent) state.contentAt = 0;
    else if (state.contentAt === 0) state.contentAt = performance.now();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

async function visit(context: BrowserContext, path: string): Promise<Visit> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const traffic = await slowDown(session);
  await page.addInitScript(watchLoading);
  await page.goto(url + path, { waitUntil: 'commit' });
  const { contentAt, shift } = await settled(page);
  const calls = await page.evaluate((before) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return entries
      .filter(({ name, startTime }) => new URL(name).pathname.startsWith('/api/') && startTime < before)
      .map(({ startTime, responseEnd }) => ({ startTime, responseEnd }));
  }, contentAt);
  await page.close();
  return {
    contentMs: contentAt,
    layoutShift: shift,
    ...traffic,
    calls: calls.length,
    late: calls.filter((call) => calls.some((other) => other.responseEnd <= call.startTime)).length,
  };
}

/** Counts what is transferred from now on, at the speed of the profile. */
async function slowDown(session: CDPSession) {
  const traffic = { bytes: 0, scripts: 0, scriptBytes: 0 };
  const scripts = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
    else scripts.delete(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
    if (!scripts.has(requestId)) return;
    traffic.scripts += 1;
    traffic.scriptBytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', CABLE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return traffic;
}

interface LoadingState {
  readonly contentAt: number;
  readonly shift: number;
}

/** @throws {Error} if the page still loads after a minute */
async function settled(page: Page): Promise<LoadingState> {
  const handle = await page.waitForFunction(
    (quietMs) => {
      const { loadingState } = window as unknown as { loadingState: LoadingState };
      const { contentAt } = loadingState;
      return contentAt > 0 && performance.now() - contentAt > quietMs ? loadingState : false;
    },
    QUIET_MS,
    { timeout: GIVE_UP_MS, polling: 100 },
  );
  return (await handle.jsonValue()) as LoadingState;
}

/** The JavaScript that a visit loads and executes, uncompressed. Measured apart, because it costs time. */
async function executed(context: BrowserContext, path: string): Promise<{ loaded: number; run: number }> {
  const page = await context.newPage();
  await page.addInitScript(watchLoading);
  await page.coverage.startJSCoverage({ reportAnonymousScripts: false });
  await page.goto(url + path, { waitUntil: 'commit' });
  await settled(page);
  const entries = await page.coverage.stopJSCoverage();
  await page.close();
  let [loaded, run] = [0, 0];
  for (const { source, functions } of entries) {
    const length = source?.length ?? 0;
    const isRun = new Uint8Array(length).fill(1);
    // Inner ranges come after outer ones and take precedence.
    for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
      isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
    loaded += length;
    run += isRun.reduce((sum, one) => sum + one, 0);
  }
  return { loaded, run };
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

function print(cells: readonly string[]): void {
  const [name = '', visited = '', ...rest] = cells;
  console.log(name.padEnd(12) + visited.padEnd(6) + rest.map((cell) => cell.padStart(12)).join(''));
}

function cellsOf({ contentMs, layoutShift, bytes, scripts, scriptBytes, calls, late }: Visit): string[] {
  return [
    ...[
      seconds(contentMs),
      layoutShift.toFixed(3),
      kilobytes(bytes),
      String(scripts),
      kilobytes(scriptBytes),
    ],
    `${calls} (${late} late)`,
  ];
}

const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const { cookies, places } = await signInToDemo(browser, url);
  print(['page', 'cache', 'content', 'shift', 'bytes', 'scripts', 'script', 'calls', 'JS', 'JS run']);
  for (const { name, path, isPublic } of pages) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const target = path.replace(/:[a-zA-Z]+/g, (key) => places[key] ?? key);
    // A profile on disk: a private window keeps no compiled code.
    const profile = mkdtempSync(join(tmpdir(), 'tessera-loading-'));
    const context = await chromium.launchPersistentContext(profile, chromiumLaunchOptions());
    if (!isPublic) await context.addCookies(cookies);
    const cold = await visit(context, target);
    const warm = await visit(context, target);
    const hot = await visit(context, target);
    const { loaded, run } = await executed(context, target);
    await context.close();
    rmSync(profile, { recursive: true, force: true });
    print([name, 'cold', ...cellsOf(cold), kilobytes(loaded), kilobytes(run)]);
    print(['', 'warm', ...cellsOf(warm)]);
    print(['', 'hot', ...cellsOf(hot)]);
  }
} finally {
  await browser.close();
}
