// tessera-sdk/pricing in Chromium: what is shown while plans load, where they fail, and how a plan is chosen by keyboard.
import type { Browser, Page } from '@playwright/test';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PricingPlan, PricingTable } from '../../packages/sdk/pricing.ts';
import { openBrowser } from './browser-page.ts';
import type { PricingPage } from './pricing-page.ts';

/** In the browser. */
declare const app: PricingPage;

const price = (id: string, amount: number | null, interval: 'month' | 'year', currency = 'eur') => ({
  ...{ id, currency, amount, interval, intervalCount: 1, perUnit: false },
});
const plan = (slug: string, more: Partial<PricingPlan> = {}): PricingPlan => ({
  ...{ slug, name: slug, description: null, isAddOn: false, features: [], prices: [] },
  ...more,
});
const PLANS = [
  plan('seats', { isAddOn: true, prices: [{ ...price('price_seat', 500, 'month'), perUnit: true }] }),
  plan('free'),
  plan('team', {
    description: 'For people who work together.',
    prices: [
      price('price_month', 1_900, 'month'),
      price('price_year', 19_000, 'year'),
      price('price_usd', 2_100, 'month', 'usd'),
    ],
    features: [
      {
        ...{ slug: 'exports', name: 'Exports' },
        properties: [
          { key: 'rows', name: 'Rows', value: 1_000, display: '1,000' },
          { key: 'csv', name: 'CSV', value: true, display: 'on' },
          { key: 'sso', name: 'SSO', value: false, display: 'off' },
        ],
      },
    ],
  }),
];

let browser: Browser;
let script: string;

beforeAll(async () => {
  ({ browser, script } = await openBrowser('pricing-page.ts'));
});
afterAll(() => browser.close());

const from = { url: 'http://app.test/', publicKey: 'tsr_pub_1' };

/** @param replies of the API, the last one again and again; a number is a status */
async function open(replies: readonly (object | number)[]): Promise<{ page: Page; keys: () => string[] }> {
  const page = await browser.newPage();
  const keys: string[] = [];
  await page.route('http://app.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname !== '/api/v1/plans')
      return route.fulfill({
        contentType: 'text/html',
        body: '<div id="root"></div><script type="module" src="/page.js"></script>',
      });
    const reply = replies[Math.min(keys.length, replies.length - 1)];
    keys.push((await route.request().headerValue('authorization')) ?? '');
    return typeof reply === 'number'
      ? route.fulfill({ status: reply, json: {} })
      : route.fulfill({ json: reply });
  });
  await page.goto('http://app.test/');
  await page.waitForFunction(() => 'app' in globalThis);
  return { page, keys: () => keys };
}

test('plans that the server gives are in its HTML: prices, what is on, and which one the customer has', () => {
  const props = { plans: PLANS, current: ['team'], locale: 'en-GB', onChoose: () => {} };
  const html = renderToString(createElement(PricingTable, props));
  expect(html).toContain('€19.00 / month');
  expect(html).toContain('€5.00 each / month');
  expect(html).toContain('Rows: 1,000');
  expect(html).toContain('<li>CSV</li>');
  expect(html).not.toContain('SSO');
  expect(html.match(/aria-current="true"/g)).toHaveLength(1);
  expect(html.indexOf('>team<')).toBeLessThan(html.indexOf('>seats<'));
});

test('they are loaded with the public key; a failure is said, and can be tried again', async () => {
  const { page, keys } = await open([503, { plans: PLANS }]);
  await page.evaluate((plans) => app.render({ plans }), from);
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'team' }).waitFor();
  expect(keys()).toEqual(['Bearer tsr_pub_1', 'Bearer tsr_pub_1']);
  await page.close();
});

test('a screen reader hears that they load', async () => {
  const page = await browser.newPage();
  await page.route('http://app.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/api/v1/plans') return;
    return pathname === '/page.js'
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({
          contentType: 'text/html',
          body: '<div id="root"></div><script type="module" src="/page.js"></script>',
        });
  });
  await page.goto('http://app.test/');
  await page.waitForFunction(() => 'app' in globalThis);
  await page.evaluate((plans) => app.render({ plans }), from);
  await page.getByRole('status').getByText('Loading plans…').waitFor();
  await page.close();
});

test('a keyboard chooses the interval and the plan, and gets the price of both', async () => {
  const { page } = await open([]);
  await page.evaluate((plans) => app.render({ plans, locale: 'en-GB', current: ['free'] }), PLANS);
  const month = page.getByRole('radio', { name: 'month' });
  await month.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByText('€190.00 / year').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Choose' }).count()).toBe(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => app.chosen)).toEqual(['team', 'price_year']);
  expect(await page.getByRole('listitem').filter({ hasText: 'Current plan' }).count()).toBe(1);
  await page.close();
});
