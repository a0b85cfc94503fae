// Lighthouse on the pages that are opened most, as on a slow phone: its mobile profile with its default throttling. It is installed for
// the run, which needs a registry.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { signInToDemo } from '../../dev/demo/sign-in-to-demo.ts';
import { chromiumLaunchOptions } from '../../dev/tools/chromium.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { runNpm } from '../../dev/tools/run-npm.ts';

const VERSION = '12.8.2';
/** Of 100, and milliseconds until the largest content is painted. */
const AIM = { score: 90, paintMs: 2_500 };
const SEED_MS = 300_000;
/** The median of so many visits counts: a score varies with what else the machine does. */
const VISITS = 3;

const pages = new Map([
  ['dashboard', '/o/:orgId/'],
  ['plans', '/o/:orgId/plans'],
  ['events', '/o/:orgId/observe/events'],
  ['customer', '/o/:orgId/customers/:customer'],
]);

interface Measured {
  readonly score: number;
  readonly paintMs: number;
}

type Lighthouse = (
  url: string,
  flags: object,
) => Promise<{
  lhr: {
    categories: { performance: { score: number } };
    audits: Record<'largest-contentful-paint', { numericValue: number }>;
  };
}>;

/** Prints what was measured beside the aim, which a busy machine misses. @returns whether every page could be measured */
export async function runLighthouse(url: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-lighthouse-'));
  const port = await findFreePort();
  const { args = [], ...options } = chromiumLaunchOptions();
  const browser = await chromium.launch({ ...options, args: [...args, `--remote-debugging-port=${port}`] });
  try {
    const lighthouse = await installLighthouse(folder);
    const { cookies, places } = await whenSeeded(() => signInToDemo(browser, url));
    const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const flags = { port, onlyCategories: ['performance'], extraHeaders: { Cookie }, logLevel: 'error' };
    let isMeasured = true;
    for (const [name, path] of pages) {
      const address = url + path.replace(/:[a-zA-Z]+/g, (key) => places[key] ?? key);
      const visits: Measured[] = [];
      for (let turn = 0; turn < VISITS; turn++) visits.push(await visit(lighthouse, address, flags));
      const score = middle(visits.map((each) => each.score));
      const paintMs = middle(visits.map((each) => each.paintMs));
      const verdict = score >= AIM.score && paintMs <= AIM.paintMs ? 'met' : 'missed';
      const shown = `score ${Math.round(score)}, LCP ${(paintMs / 1000).toFixed(1)} s`;
      console.log(`${name.padEnd(12)} ${shown}; ${AIM.score} and ${AIM.paintMs / 1000} s: ${verdict}`);
      isMeasured &&= Number.isFinite(score) && Number.isFinite(paintMs);
    }
    return isMeasured;
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server answers before its demo is there. @throws what the last attempt threw */
async function whenSeeded<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const givesUpAt = Date.now() + SEED_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > givesUpAt) throw error;
      await sleep(2_000);
    }
  }
}

async function installLighthouse(folder: string): Promise<Lighthouse> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await runNpm(['install', '--ignore-scripts', `lighthouse@${VERSION}`], folder);
  const entry = join(folder, 'node_modules/lighthouse/core/index.js');
  const { default: lighthouse } = (await import(pathToFileURL(entry).href)) as { default: Lighthouse };
  return lighthouse;
}

async function visit(lighthouse: Lighthouse, address: string, flags: object): Promise<Measured> {
  const { lhr } = await lighthouse(address, flags);
  return {
    score: lhr.categories.performance.score * 100,
    paintMs: lhr.audits['largest-contentful-paint'].numericValue,
  };
}

const middle = (values: number[]) =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
