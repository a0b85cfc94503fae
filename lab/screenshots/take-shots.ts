// Takes screenshots of a running server in both themes and every width.
import { join } from 'node:path';
import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { demoAccount } from '../../dev/demo/demo-account.ts';
import { type Account, signInAs } from '../../dev/workspace/sign-in.ts';
import { fillPlaces, findPlaces, type Places } from './places.ts';
import { MEMBER, OWNER, type SeededOrganisations, seedStates } from './seed-states.ts';
import type { Shot } from './shot.ts';
import { waitForContent } from './wait-for-content.ts';

/** For what an act has started, such as a tab that loads. */
const SETTLE_MS = 600;
/** Shots of a sheet are cropped to this height. */
const MAX_SHEET_HEIGHT = 1300;

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

export const LOOKS: readonly Look[] = SIZES.flatMap((size) => [
  { theme: 'light', size },
  { theme: 'dark', size },
]);

/** A separate account for staff pages, so that the demo user stays an ordinary user. */
const STAFF: Account = {
  email: 'staff@tessera.example',
  password: 'tessera-staff',
  name: 'Stella Staff',
};

type Who = 'visitor' | 'demo' | 'staff' | 'owner' | 'member';

const ACCOUNTS = { demo: demoAccount, staff: STAFF, owner: OWNER, member: MEMBER };

const whoOf = ({ viewer, organisation }: Shot): Who =>
  viewer ?? (organisation === undefined ? 'demo' : 'owner');

export const fileOf = ({ name }: Shot, { theme, size }: Look) => `${name}-${theme}-${size.width}.png`;

interface Stage {
  readonly folder: string;
  readonly contextOf: (look: Look, shot: Shot) => BrowserContext;
  readonly placesOf: (shot: Shot) => Places;
}

/** @returns what went wrong, in one line each; such a screenshot shows how far it came */
export async function takeShots(
  browser: Browser,
  url: string,
  folder: string,
  shots: readonly Shot[],
): Promise<readonly string[]> {
  const stage = await setStage(browser, url, folder, shots);
  const failures: string[] = [];
  const takeAll = async (look: Look) => {
    // One page of a context at a time: the browser does not draw the others.
    for (const shot of shots.filter((each) => isTakenIn(each, look))) {
      const fail = (error: Error) => void failures.push(`${fileOf(shot, look)}: ${error.message}`);
      await take(stage, shot, look, fail).catch(fail); // Such as a browser that has crashed.
    }
  };
  await Promise.all(LOOKS.map(takeAll));
  return failures;
}

/** Dialogs are as wide at 1024 as at 1440. */
const isTakenIn = ({ kind }: Shot, { size }: Look) => kind !== 'dialogs' || size.width !== 1024;

async function setStage(
  browser: Browser,
  url: string,
  folder: string,
  shots: readonly Shot[],
): Promise<Stage> {
  const contexts = new Map<string, BrowserContext>();
  const keyOf = ({ theme, size }: Look, who: Who) => `${theme} ${size.width} ${who}`;
  const requests = new Map<Who, APIRequestContext>();
  const isSeeded = shots.some(({ organisation }) => organisation !== undefined);
  const seeded: Partial<SeededOrganisations> = isSeeded ? await seedStates(url) : {};
  for (const who of new Set<Who>(['demo', ...(isSeeded ? ['owner' as const] : []), ...shots.map(whoOf)])) {
    const storageState = who === 'visitor' ? undefined : await signIn(browser, url, who);
    for (const look of LOOKS) {
      const { theme: colorScheme, size: viewport } = look;
      const options = { baseURL: url, colorScheme, viewport, hasTouch: viewport.width < 768, storageState };
      const context = await browser.newContext(options);
      contexts.set(keyOf(look, who), context);
      requests.set(who, context.request);
    }
  }
  const read = async (who: Who, orgId?: string) => {
    const request = requests.get(who);
    if (request === undefined) throw new Error(`Nobody is signed in as ${who}`);
    return findPlaces(request, orgId);
  };
  const demo = await read('demo');
  const places = new Map<string, Places>();
  for (const [name, orgId] of Object.entries(seeded)) places.set(name, await read('owner', orgId));
  return {
    folder,
    contextOf: (look, shot) => contexts.get(keyOf(look, whoOf(shot))) as BrowserContext,
    placesOf: ({ organisation = '' }) => places.get(organisation) ?? demo,
  };
}

async function take(
  { folder, contextOf, placesOf }: Stage,
  shot: Shot,
  look: Look,
  fail: (error: Error) => void,
): Promise<void> {
  const { path, prepare, act, ready = (page: Page) => waitForContent(page, shot.name) } = shot;
  const page = await contextOf(look, shot).newPage();
  page.on('pageerror', fail);
  try {
    await prepare?.(page);
    await page.goto(fillPlaces(path, placesOf(shot)));
    await ready(page);
    if (act !== undefined) {
      await act(page);
      await page.waitForTimeout(SETTLE_MS);
      await ready(page);
    }
  } catch (error) {
    fail(error as Error);
  }
  const file = join(folder, fileOf(shot, look));
  // A picture of the whole page resizes the window, which would set the sidebar in motion.
  const options = { path: file, animations: 'disabled' } as const;
  const shoot = async () => page.screenshot({ ...options, ...(await frameOf(page, shot, look)) });
  await shoot().catch(fail);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
}

/** How much of the page a screenshot shows. The whole page begins at its top: what sticks there would be drawn over it. */
async function frameOf(page: Page, { isOneScreen, sheet }: Shot, { size }: Look) {
  if (isOneScreen) return { fullPage: false };
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  if (sheet === undefined) return { fullPage: true };
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const height = Math.min(Math.max(whole, size.height), MAX_SHEET_HEIGHT);
  return { fullPage: true, clip: { x: 0, y: 0, width: size.width, height } };
}

/** Signs up first if the account does not exist. */
async function signIn(browser: Browser, url: string, who: Exclude<Who, 'visitor'>) {
  const { email, password } = ACCOUNTS[who];
  await signInAs(url, ACCOUNTS[who]);
  const context = await browser.newContext({ baseURL: url });
  const headers = { origin: url, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };
  const calls: [string, object?][] = [['/api/auth/sign-in/email', { email, password }]];
  if (who === 'staff') calls.push(['/dev/staff']);
  for (const [path, data] of calls) {
    const answer = await context.request.post(path, { headers, ...(data && { data }) });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  }
  const session = await context.storageState();
  await context.close();
  return session;
}
