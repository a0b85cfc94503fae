// `npm run screenshots -- states [screen ...]`: each screen empty, loading, failed, full and as a plain member, and the
// dialogs. Uses seeded organisations, and intercepts requests for the loading and failed states. Combines the screenshots into
// one sheet per screen, theme and width.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import type { Account } from '../workspace/sign-in.ts';
import { waitForContent } from './wait-for-content.ts';
import { MEMBER, OWNER, type SeededOrganisations, seedStates } from './seed-states.ts';
import { dialogShots, type StateScreen, stateScreens } from './state-shots.ts';

const STATES = ['empty', 'loading', 'error', 'full', 'member'] as const;
type State = (typeof STATES)[number];

const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
/** Long pages are cropped to this height. */
const MAX_HEIGHT = 1300;
/** The console retries three times before it shows an error. */
const ERROR_WAIT_MS = 20_000;
/** The page's other failed requests settle later. */
const ERROR_REST_MS = 1500;
const LOADING_SHOWN_MS = 900;

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Taking {
  readonly browser: Browser;
  readonly url: string;
  readonly folder: string;
  readonly organisations: SeededOrganisations;
  readonly sessions: Readonly<Record<'owner' | 'member', Session>>;
}

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly size: (typeof SIZES)[number];
}

/** What can be chosen. */
export const stateNames: readonly string[] = [...stateScreens, ...dialogShots].map(({ name }) => name);

/** @returns the number of screenshots */
export async function takeStates(
  browser: Browser,
  url: string,
  folder: string,
  chosen: readonly string[],
): Promise<number> {
  const organisations = await seedStates(url);
  const sessions = { owner: await signIn(browser, url, OWNER), member: await signIn(browser, url, MEMBER) };
  const taking = { browser, url, folder, organisations, sessions };
  const screens = stateScreens.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const dialogs = dialogShots.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  for (const size of SIZES) {
    await Promise.all(
      THEMES.flatMap((theme) => [
        ...STATES.map((state) => takeScreens(taking, { theme, size }, state, screens)),
        takeDialogs(taking, { theme, size }, dialogs),
      ]),
    );
  }
  await makeSheets(browser, folder, screens, dialogs);
  return (screens.length * STATES.length + dialogs.length) * SIZES.length * THEMES.length;
}

async function takeScreens(taking: Taking, look: Look, state: State, screens: readonly StateScreen[]) {
  const context = await newContext(taking, look, state === 'member' ? 'member' : 'owner');
  for (const screen of screens) {
    const page = await context.newPage();
    const { organisations } = taking;
    const empty = screen.isOfOneItem ? organisations.bare : organisations.empty;
    const orgId = state === 'empty' ? empty : organisations.full;
    const path = await addressOf(page, orgId, screen.path);
    if (state === 'loading') await page.route(isData, () => {});
    if (state === 'error') await page.route(isData, fail);
    page.on('pageerror', (error) => console.error(`${screen.name} ${state}: ${error.message}`));
    await page.goto(path);
    try {
      await settle(page, state, screen.name);
    } catch (error) {
      console.error(`${screen.name} ${state} ${look.theme} ${look.size.width}: ${error}`);
    }
    await take(page, taking.folder, fileOf(screen.name, state, look));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  }
  await context.close();
}

async function takeDialogs(taking: Taking, look: Look, dialogs: typeof dialogShots) {
  const context = await newContext(taking, look, 'owner');
  for (const { name, path, open } of dialogs) {
    const page = await context.newPage();
    await page.goto(await addressOf(page, taking.organisations.full, path));
    try {
      await settle(page, 'full', name);
      await open(page);
    } catch (error) {
      console.error(`${name} ${look.theme} ${look.size.width}: ${error}`);
    }
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(taking.folder, fileOf(name, 'dialog', look)) });
    await page.close();
  }
  await context.close();
}

const fileOf = (name: string, state: string, { theme, size }: Look) =>
  `${name}-${state}-${theme}-${size.width}.png`;

function newContext({ browser, url, sessions }: Taking, { theme, size }: Look, who: 'owner' | 'member') {
  return browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: size,
    hasTouch: size.width < 768,
    storageState: sessions[who],
  });
}

/** An organisation's data, except the summary that the shell needs. */
function isData({ pathname }: URL): boolean {
  return /^\/api\/orgs\/[^/]+(?!.*\/summary$)/.test(pathname);
}

function fail(route: Route): Promise<void> {
  const body = {
    errorType: 'server-error',
    message:
      'Something went wrong on our side. Try again, and contact support with the request ID if it keeps failing.',
    requestId: 'req_01m7xy49t04vk7g0jce52am8ey',
  };
  return route.fulfill({ status: 500, json: body });
}

async function settle(page: Page, state: State, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (state === 'loading') return page.waitForTimeout(LOADING_SHOWN_MS);
  if (state === 'error') {
    await page.getByRole('alert').first().waitFor({ timeout: ERROR_WAIT_MS });
    return page.waitForTimeout(ERROR_REST_MS);
  }
  await waitForContent(page, `${name}, ${state}`);
  await page.waitForTimeout(300);
}

async function take(page: Page, folder: string, file: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.screenshot({
    path: join(folder, file),
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(Math.max(whole, height), MAX_HEIGHT) },
  });
}

async function addressOf(page: Page, orgId: string, path: string): Promise<string> {
  const { request } = page;
  const first = async (list: string, key: string, name: RegExp) => {
    const items = (await (await request.get(`/api/orgs/${orgId}/${list}`)).json()) as Record<
      string,
      string
    >[];
    return (items.find((item) => name.test(item.name ?? '')) ?? items[0])?.[key] ?? 'none';
  };
  const [, place] = /(:\w+)/.exec(path) ?? [];
  const id =
    place === ':featureId'
      ? await first('features', 'id', /^Team seats$/)
      : place === ':planId'
        ? await first('plans', 'planId', /^Professional$/)
        : place === ':environmentId'
          ? await first('environments', 'id', /^Production$/)
          : '';
  return `/o/${orgId}/${place === undefined ? path : path.replace(place, id)}`;
}

async function signIn(browser: Browser, url: string, { email, password }: Account): Promise<Session> {
  const context = await browser.newContext({ baseURL: url });
  const headers = { origin: url, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };
  const answer = await context.request.post('/api/auth/sign-in/email', {
    headers,
    data: { email, password },
  });
  if (!answer.ok()) throw new Error(`Could not sign in: ${answer.status()} ${await answer.text()}`);
  const session = await context.storageState();
  await context.close();
  return session;
}

/** One sheet per screen, width and theme with all states; dialogs six to a sheet. */
async function makeSheets(
  browser: Browser,
  folder: string,
  screens: readonly StateScreen[],
  dialogs: typeof dialogShots,
): Promise<void> {
  const page = await browser.newPage();
  for (const size of SIZES) {
    const columns = size.width > 768 ? 3 : 5;
    for (const theme of THEMES) {
      const look = `${theme}-${size.width}`;
      for (const { name } of screens) {
        const files = STATES.map((state) => fileOf(name, state, { theme, size }));
        await makeSheet(page, folder, `sheet-${name}-${look}`, files, columns);
      }
      for (let at = 0; at * 6 < dialogs.length; at += 1) {
        const files = dialogs
          .slice(at * 6, at * 6 + 6)
          .map(({ name }) => fileOf(name, 'dialog', { theme, size }));
        await makeSheet(page, folder, `sheet-dialogs-${at + 1}-${look}`, files, Math.max(columns, 3));
      }
    }
  }
  await page.close();
}

/** The widest image that viewers show unscaled. */
const SHEET_WIDTH = 1560;
const GAP = 10;

async function makeSheet(
  page: Page,
  folder: string,
  name: string,
  files: readonly string[],
  columns: number,
): Promise<void> {
  const pictures = await Promise.all(files.map((file) => readPicture(join(folder, file))));
  const style = `body{margin:${GAP}px;background:#888;display:grid;gap:${GAP}px;align-items:start;grid-template-columns:repeat(${columns},1fr)}img{width:100%}`;
  await page.setViewportSize({ width: SHEET_WIDTH, height: 400 });
  await page.setContent(`<style>${style}</style>${pictures.map((data) => `<img src="${data}">`).join('')}`);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function readPicture(path: string): Promise<string> {
  return `data:image/png;base64,${(await readFile(path)).toString('base64')}`;
}
