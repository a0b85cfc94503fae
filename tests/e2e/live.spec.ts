// The live view: a real socket shows decisions as they are made, on the Live tab and on the dashboard.

import type { Page } from '@playwright/test';
import type { Environment } from '#contracts/console/environments';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Lina Live', 'Live Wires');

/** Two environments with a version, and a call that checks access in one of them. */
async function setUp(page: Page) {
  const workspace = smallWorkspace(page, organisation.id);
  await workspace.fill();
  const version = await workspace.freeze();
  const keys = new Map<string, string>();
  const environments: Environment[] = [];
  for (const name of ['Production', 'Staging']) {
    const environment = await workspace.makeEnvironment(name);
    await workspace.deploy(environment, version);
    const key = await organisation.api<{ value: string }>(page, 'POST', '/api-keys', {
      environmentId: environment.id,
      type: 'secret',
    });
    keys.set(name, key.value);
    environments.push(environment);
  }
  const check = async (
    userIdentifier: string,
    { name = 'Production', city = 'Lisbon', country = 'PT' } = {},
  ) => {
    const from = { country, city, continent: 'EU' };
    const { status } = await callPublicApi(page, keys.get(name) ?? '', { userIdentifier }, { from });
    expect(status).toBe(200);
  };
  return { environments, check };
}

test('decisions appear while they are made, the list waits under the pointer, and a filter restarts it', async ({
  page,
}) => {
  const { environments, check } = await setUp(page);
  const rows = page.getByRole('region', { name: 'Newest events' }).getByRole('listitem');
  const status = page.getByRole('status').first();
  await page.goto(`/o/${organisation.id}/observe/live`);
  await expect(status).toHaveText('Not listening');
  await expectAccessible(page, 'the live view before it starts');

  await test.step('a check is in the list, in the counters and among the places', async () => {
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(status).toHaveText('Listening');
    await expect(page.getByText('Waiting for Events...')).toBeVisible();
    await check('ada@example.com');
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText(/Denied.*Access check.*ada@example\.com.*Not in plan.*Lisbon/);
    const counters = page.getByRole('region', { name: 'Since you pressed Start' });
    await expect(counters).toContainText('1 event since you pressed Start');
    await expect(counters).toContainText('Lisbon');
  });

  await test.step('the keyboard pauses it at once, moves through the rows, and never loses the focus', async () => {
    const pause = page.getByRole('button', { name: 'Pause' });
    await page.keyboard.press(' ');
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
    await page.keyboard.press('j');
    await expect(rows.first().getByRole('link')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary', { name: 'Event', exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(rows.first().getByRole('link')).toBeFocused();
    await check('zoe@example.com');
    const arrived = page.getByRole('button', { name: '1 new' });
    await arrived.focus();
    await page.keyboard.press('Enter');
    await expect(pause).toBeFocused();
    await expect(rows).toHaveCount(2);
  });

  await test.step('hovering pauses the list; a button shows what has arrived', async () => {
    await rows.first().hover();
    for (const who of ['bea', 'cleo', 'dora']) await check(who, { city: 'Porto' });
    const arrived = page.getByRole('button', { name: '3 new' });
    await expect(arrived).toBeVisible();
    await expect(rows).toHaveCount(2);
    await expectAccessible(page, 'the live view while it is paused');
    await arrived.click();
    await expect(rows).toHaveCount(5);
    await expect(rows.first()).toContainText('dora');
    await expect(arrived).toBeHidden();
  });

  await test.step('an event opens beside the list', async () => {
    await rows.first().getByRole('link').click();
    const viewer = page.getByRole('complementary', { name: 'Event', exact: true });
    await expect(viewer).toContainText('dora');
    await page.keyboard.press('Escape');
    await expect(viewer).toBeHidden();
    await expect(status).toHaveText('Listening');
  });

  await test.step('Space pauses and goes on', async () => {
    await page.mouse.move(0, 0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press(' ');
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
    await check('erin');
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
    await page.keyboard.press(' ');
    await expect(rows).toHaveCount(6);
  });

  await test.step('another environment restarts the view, and shows its own events only', async () => {
    const [, staging] = environments;
    await page.getByLabel('Environment', { exact: true }).selectOption('Staging');
    await expect(page).toHaveURL(new RegExp(`environment=${staging?.id}`));
    await expect(page.getByText('Waiting for Events...')).toBeVisible();
    await expect(status).toHaveText('Listening');
    await check('in-production');
    await check('in-staging', { name: 'Staging' });
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText('in-staging');
  });

  await test.step('it fits a small screen, and stops', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFitting(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(status).toHaveText('Not listening');
    await expect(rows).toHaveCount(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('the dashboard shows the latest decisions, and the next one by itself', async () => {
    await page.goto(`/o/${organisation.id}/`);
    const latest = page.getByRole('list', { name: 'Latest decisions' }).getByRole('listitem');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(latest).toHaveCount(6);
    await check('fay@example.com');
    await expect(latest.first()).toContainText('fay@example.com');
    await expect(latest).toHaveCount(6);
    await expectAccessible(page, 'the latest decisions');
  });
});

test('a socket that cannot be kept is given up after sixty attempts, and the view can be started again', async ({
  page,
}) => {
  let attempts = 0;
  await page.routeWebSocket(/\/watch-session\//, (socket) => {
    attempts += 1;
    void socket.close({ code: 1011 });
  });
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await page.clock.install();
  await page.goto(`/o/${organisation.id}/observe/live`);
  await page.getByRole('button', { name: 'Start' }).click();
  const alert = page.getByRole('alert');
  await expect(async () => {
    await page.clock.runFor(1_000);
    await expect(alert).toContainText('The live view has ended', { timeout: 1 });
  }).toPass({ intervals: [1] });
  expect(attempts).toBe(61);
  expect(warnings.join()).toContain('Max reconnect attempts');
  await expect(page.getByRole('status').first()).toHaveText('Not listening');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(alert).toBeHidden();
});
