// `npm run screenshots [-- name ...]`: every page of a running server (TESSERA_URL, else port 4001) as the demo's user
// sees it, light and dark, wide, medium and narrow, into a new folder, whose name is printed. Names choose pages.
// `npm run screenshots -- states [name ...]`: the screens of an organisation in each state they can be in.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/auth';
import { chromiumLaunchOptions } from './chromium.ts';
import { demoAccount } from './demo/demo-account.ts';
import { type ScreenshotRoute, screenshotRoutes } from './screenshot-routes.ts';
import { takeStates } from './states/take-states.ts';

const url = process.env.TESSERA_URL ?? 'http://localhost:4001';
const chosen = process.argv.slice(2);
const routes = screenshotRoutes.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

const folder = mkdtempSync(join(tmpdir(), 'tessera-screenshots-'));
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const count =
    chosen[0] === 'states' ? await takeStates(browser, url, folder, chosen.slice(1)) : await takePages();
  console.log(`${count} screenshots in ${folder}`);
} finally {
  await browser.close();
}

/** Answers how many screenshots were taken. */
async function takePages(): Promise<number> {
  const { session, places } = await signIn(browser);
  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    sizes.map((viewport) => takeAll({ colorScheme, viewport, session, places })),
  );
  await Promise.all(looks);
  return routes.length * looks.length;
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
  session: Session;
  places: ReadonlyMap<string, string>;
}

async function takeAll({ colorScheme, viewport, session, places }: Look): Promise<void> {
  const options = { baseURL: url, colorScheme, viewport };
  const visitor = await browser.newContext(options);
  const member = await browser.newContext({ ...options, storageState: session });
  for (const route of routes) {
    const page = await (route.isPublic ? visitor : member).newPage();
    page.on('pageerror', (error) => console.error(`${route.name}: ${error.message}`));
    await page.goto(fill(route, places), { waitUntil: 'networkidle' });
    const file = `${route.name}-${colorScheme}-${viewport.width}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: true });
    await page.close();
  }
  await Promise.all([visitor.close(), member.close()]);
}

/** Signs in as the demo's user, once; answers the session, and what the placeholders of the routes stand for. */
async function signIn(browser: Browser): Promise<Pick<Look, 'session' | 'places'>> {
  const context = await browser.newContext({ baseURL: url });
  const { request } = context;
  const { email, password } = demoAccount;
  const headers = { origin: url, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };
  const signedIn = await request.post('/api/auth/sign-in/email', { headers, data: { email, password } });
  if (!signedIn.ok()) throw new Error(`Could not sign in: ${signedIn.status()} ${await signedIn.text()}`);
  const first = async (path: string, key = 'id'): Promise<string> => {
    const items = (await (await request.get(path)).json()) as { [key: string]: string }[];
    return items[0]?.[key] ?? 'none';
  };
  const orgId = await first('/api/user/orgs');
  const places = new Map([
    [':orgId', orgId],
    [':featureId', await first(`/api/orgs/${orgId}/features`)],
    [':planId', await first(`/api/orgs/${orgId}/plans`, 'planId')],
    [':environmentId', await first(`/api/orgs/${orgId}/environments`)],
  ]);
  return { session: await context.storageState(), places };
}

function fill({ path }: ScreenshotRoute, places: ReadonlyMap<string, string>): string {
  return path.replace(/:[a-zA-Z]+/g, (name) => places.get(name) ?? name);
}
