// `npm run screenshots [-- name ...]`: screenshots of a running server (TESSERA_URL, default port 4001) as the demo user, in
// both themes and three widths, into a new folder. Names select pages.
// `npm run screenshots -- dialogs [name ...]`: dialogs, menus and banners; see dialog-shots.ts.
// `npm run screenshots -- states [name ...]`: screens in each of their states; see states/take-states.ts.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { chromiumLaunchOptions } from './tools/chromium.ts';
import { demoAccount } from './demo/demo-account.ts';
import { type Account, signInAs } from './workspace/sign-in.ts';
import { dialogShots } from './screenshots/dialog-shots.ts';
import { ensureKnown } from './tools/nearest-name.ts';
import { EVENT_PLACES } from './screenshots/observability-shots.ts';
import { findServer } from './tools/running-server.ts';
import { type ScreenshotRoute, screenshotRoutes } from './screenshots/page-shots.ts';
import { stateNames, takeStates } from './screenshots/take-shots.ts';
import { waitForContent } from './screenshots/wait-for-content.ts';

const [kind, ...names] = process.argv.slice(2);
const chosen = kind === 'dialogs' || kind === 'states' ? names : process.argv.slice(2);
const known =
  kind === 'states'
    ? stateNames
    : (kind === 'dialogs' ? dialogShots : screenshotRoutes).map(({ name }) => name);
ensureKnown(chosen, known);
const url = await findServer();
const routes = (kind === 'dialogs' ? dialogShots : screenshotRoutes).filter(
  ({ name }) => chosen.length === 0 || chosen.includes(name),
);
const sizes = [
  { width: 1440, height: 900 },
  ...(kind === 'dialogs' ? [] : [{ width: 1024, height: 768 }]), // Dialogs are as wide as at 1440.
  { width: 390, height: 844 },
];

/** For what `act` has started, such as a tab that loads. */
const SETTLE_MS = 600;

/** A separate account for staff pages, so that the demo user stays an ordinary user. */
const staff: Account = {
  email: 'staff@tessera.example',
  password: 'tessera-staff',
  name: 'Stella Staff',
};

const folder = mkdtempSync(join(tmpdir(), 'tessera-screenshots-'));
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const count = kind === 'states' ? await takeStates(browser, url, folder, chosen) : await takePages();
  console.log(`${count} screenshots in ${folder}`);
} finally {
  await browser.close();
}

/** @returns the number of screenshots */
async function takePages(): Promise<number> {
  const { session, places } = await signIn(browser);
  const staffSession = routes.some(({ isForStaff }) => isForStaff) ? await signInStaff(browser) : session;
  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    sizes.map((viewport) => takeAll({ colorScheme, viewport, session, staffSession, places })),
  );
  await Promise.all(looks);
  return routes.length * looks.length;
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

type Item = Readonly<Record<string, unknown>>;
type IsPreferred = (item: Item) => boolean;

interface Look {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
  session: Session;
  staffSession: Session;
  places: ReadonlyMap<string, string>;
}

async function takeAll({ colorScheme, viewport, session, staffSession, places }: Look): Promise<void> {
  const options = { baseURL: url, colorScheme, viewport, hasTouch: viewport.width < 768 };
  const visitor = await browser.newContext(options);
  const member = await browser.newContext({ ...options, storageState: session });
  const colleague = await browser.newContext({ ...options, storageState: staffSession });
  for (const route of routes) {
    const page = await (route.isPublic ? visitor : route.isForStaff ? colleague : member).newPage();
    page.on('pageerror', (error) => console.error(`${route.name}: ${error.message}`));
    await page.goto(fill(route, places));
    await waitForContent(page, route.name);
    if (route.act !== undefined) {
      await route
        .act(page)
        .catch((error) => console.error(`${route.name} ${viewport.width}: ${error.message}`));
      await page.waitForTimeout(SETTLE_MS);
      await waitForContent(page, route.name);
    }
    const file = `${route.name}-${colorScheme}-${viewport.width}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: !route.isOneScreen });
    await page.close();
  }
  await Promise.all([visitor.close(), member.close(), colleague.close()]);
}

/** Signs in as the demo user. @returns the session and the values of route placeholders */
async function signIn(browser: Browser): Promise<Pick<Look, 'session' | 'places'>> {
  const context = await openSession(browser, demoAccount);
  const { request } = context;
  const read = async (path: string) => (await request.get(path)).json();
  const first = async (path: string, key = 'id', isPreferred: IsPreferred = () => true): Promise<string> => {
    const items: Item[] = await read(path);
    return String((items.find(isPreferred) ?? items[0])?.[key] ?? 'none');
  };
  const orgId = await first('/api/user/orgs');
  const isTest: IsPreferred = ({ type }) => type === 'test';
  const isLinked: IsPreferred = ({ grantProductMappings: linked }) =>
    Array.isArray(linked) && linked.length > 0;
  const hasFeature: IsPreferred = ({ featureId }) => featureId !== null;
  const eventPlaces = Object.entries(EVENT_PLACES).map(
    async ([place, criteria]): Promise<[string, string]> => {
      const { events } = await read(`/api/orgs/${orgId}/event-search?criteria=${JSON.stringify(criteria)}`);
      return [place, events[0]?.id ?? 'none'];
    },
  );
  const places = new Map([
    [':orgId', orgId],
    [':featureId', await first(`/api/orgs/${orgId}/features`)],
    [':workflowId', await first(`/api/orgs/${orgId}/workflows`)],
    [':behaviourId', await first(`/api/orgs/${orgId}/workflows`, 'id', hasFeature)],
    [':planId', await first(`/api/orgs/${orgId}/plans`, 'planId', isLinked)],
    [':environmentId', await first(`/api/orgs/${orgId}/environments`)],
    [':testEnvironmentId', await first(`/api/orgs/${orgId}/environments`, 'id', isTest)],
    [':stripeId', await first(`/api/orgs/${orgId}/integrations/stripe`)],
    [':jwtId', await first(`/api/orgs/${orgId}/integrations/jwt`)],
    ...(await Promise.all(eventPlaces)),
    [':userId', (await read('/api/auth/get-session')).user.id],
  ]);
  return { session: await context.storageState(), places };
}

async function signInStaff(browser: Browser): Promise<Session> {
  await signInAs(url, staff); // Signs up first if the account does not exist.
  const context = await openSession(browser, staff);
  const answer = await context.request.post('/dev/staff', { headers: { origin: url } });
  if (!answer.ok()) throw new Error(`Could not join the staff: ${answer.status()} ${await answer.text()}`);
  return context.storageState();
}

async function openSession(browser: Browser, { email, password }: Account): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url });
  const headers = { origin: url, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };
  const data = { email, password };
  const answer = await context.request.post('/api/auth/sign-in/email', { headers, data });
  if (!answer.ok()) throw new Error(`Could not sign in: ${answer.status()} ${await answer.text()}`);
  return context;
}

function fill({ path }: ScreenshotRoute, places: ReadonlyMap<string, string>): string {
  return path.replace(/:[a-zA-Z]+/g, (name) => places.get(name) ?? name);
}
