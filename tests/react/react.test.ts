// tessera-sdk/react in Chromium: hydration, what renders when something changes, another user, and outages.
import type { Browser, Page } from '@playwright/test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessJson } from '../../packages/sdk/testing.ts';
import { App, type AppProps } from './app.ts';
import { openBrowser } from './browser-page.ts';
import type { ReactPage } from './page.ts';

/** In the browser. */
declare const app: ReactPage;
const METER = { state: 'metered', allowed: true, limit: 9, remaining: 9, resetsAt: null } as const;
const answer = (rows: number, used = 4) =>
  accessJson({ 'reports.rows': rows, 'reports.runs': { ...METER, used }, sso: false });
const asJson = (value: object) => JSON.parse(JSON.stringify(value)) as never;

let browser: Browser;
let script: string;

beforeAll(async () => {
  ({ browser, script } = await openBrowser('page.ts'));
});
afterAll(() => browser.close());

/** @param replies of the application's route, the last one again and again; a number is a status */
async function open(
  replies: readonly (object | number)[],
  html = '',
  isClockStopped = true,
): Promise<{ page: Page; asked: () => number }> {
  const page = await browser.newPage();
  if (isClockStopped) {
    // Pauses and validity end by these clocks: a busy machine changes nothing.
    await page.clock.setFixedTime(new Date());
    await page.addInitScript(() => {
      performance.now = () => 0;
    });
  }
  let asked = 0;
  await page.route('http://app.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname !== '/entitlements') {
      return route.fulfill({
        contentType: 'text/html',
        body: `<div id="root">${html}</div><script type="module" src="/page.js"></script>`,
      });
    }
    const reply = replies[Math.min(asked++, replies.length - 1)];
    return typeof reply === 'number'
      ? route.fulfill({ status: reply, json: {} })
      : route.fulfill({ json: reply });
  });
  await page.goto('http://app.test/');
  await page.waitForFunction(() => 'app' in globalThis);
  return { page, asked: () => asked };
}

const texts = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries([...document.querySelectorAll('span')].map((each) => [each.id, each.textContent])),
  );
const textOf = (page: Page, id: string) => expect.poll(async () => (await texts(page))[id]);

test('the server’s HTML is hydrated in StrictMode without a mismatch, a flicker or a request', async () => {
  const props: AppProps = { bootstrap: asJson(answer(5)), isStrict: true };
  const html = renderToString(createElement(App, props));
  expect(html).toContain('<span id="rows">5</span>');
  const { page, asked } = await open([answer(6)], html);
  await page.evaluate((given) => app.hydrate(given), props);
  await page.waitForTimeout(300);
  expect(await texts(page)).toEqual({
    rows: '5',
    runs: '4',
    can: 'true',
    status: 'ready',
    allowed: 'in',
    denied: 'out',
  });
  expect(await page.evaluate(() => app.recovered)).toEqual([]);
  const seen = await page.evaluate(() =>
    app.rendered.filter(([name]) => name === 'rows').map(([, text]) => text),
  );
  expect(new Set(seen)).toEqual(new Set(['5']));
  expect(asked()).toBe(0);
  await page.close();
});

test('without a bootstrap one request is made, and fallbacks are shown until it ends', async () => {
  const { page, asked } = await open([answer(6)]);
  await page.evaluate(() => app.render({ isStrict: true }));
  await textOf(page, 'rows').toBe('6');
  expect(await texts(page)).toMatchObject({ status: 'ready', allowed: 'in', denied: 'out' });
  expect(asked()).toBe(1);
  const first = await page.evaluate(() => Object.fromEntries([...app.rendered].reverse()));
  expect(first).toMatchObject({ rows: '0', can: 'false', status: 'loading', runs: 'none' });
  await page.close();
});

test('one changed value renders the components that read it, and no other', async () => {
  const { page } = await open([answer(1), answer(2), answer(2, 5)]);
  await page.evaluate(() => app.render({ isShared: true }));
  await textOf(page, 'rows').toBe('1');
  const refreshed = () =>
    page.evaluate(async () => {
      const from = app.rendered.length;
      await app.client.refresh();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return app.rendered
        .slice(from)
        .map(([name]) => name)
        .filter((name) => name !== 'status');
    });
  expect(await refreshed()).toEqual(['rows']);
  expect(await refreshed()).toEqual(['runs']);
  expect(await refreshed()).toEqual([]);
  await page.close();
});

test('another user never sees what the former one had', async () => {
  const { page } = await open([answer(99)]);
  const seenWith = (bootstrap: object | null) =>
    page.evaluate(
      (given) => {
        const from = app.rendered.length;
        app.render({ bootstrap: given as never });
        return app.rendered
          .slice(from)
          .filter(([name]) => name === 'rows')
          .map(([, text]) => text);
      },
      bootstrap === null ? null : asJson(bootstrap),
    );
  expect(await seenWith(answer(1))).toEqual(['1']);
  expect(await seenWith(answer(2))).toEqual(['2']);
  expect(await seenWith(answer(2))).not.toContain('1');
  expect(await seenWith(null)).not.toContain('2');
  await page.close();
});

test('a suspending component waits for its answer, and with a bootstrap never does', async () => {
  const { page, asked } = await open([answer(6)]);
  await page.evaluate(() => app.render({ isSuspending: true }));
  await textOf(page, 'suspended').toBe('6');
  expect(asked()).toBe(1);
  await page.close();
  const other = await open([answer(6)]);
  await other.page.evaluate((bootstrap) => app.render({ isSuspending: true, bootstrap }), asJson(answer(5)));
  expect(await texts(other.page)).toMatchObject({ suspended: '5' });
  await other.page.close();
});

test('what failed is asked again without an interaction', async () => {
  const { page } = await open([503, answer(6)], '', false);
  await page.evaluate(() => app.render({ isStrict: true }));
  await textOf(page, 'rows').toBe('6');
  expect((await texts(page)).status).toBe('ready');
  await page.close();
});

test('a route that fails leaves the fallbacks, and is not asked again and again', async () => {
  const { page, asked } = await open([503]);
  await page.evaluate(() => app.render({ isStrict: true }));
  await textOf(page, 'status').toBe('error');
  for (let times = 0; times < 5; times++) {
    await page.evaluate(() => app.render({ isStrict: true }));
    await page.waitForTimeout(50);
  }
  expect(await texts(page)).toMatchObject({ rows: '0', can: 'false', denied: 'out' });
  expect(asked()).toBe(1);
  await page.close();
});
