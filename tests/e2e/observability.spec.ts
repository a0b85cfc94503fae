// Observability as a developer uses it: decisions are found, filtered, opened by keyboard, explained, shared and repeated.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { Artifact } from '#contracts/console/artifacts';
import type { Event } from '#contracts/console/events';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { AccessCheckAnswer } from '#contracts/public/access';
import {
  createDeployed,
  createFeature,
  createPlan,
  planProperties,
  setPlanValues,
} from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { settlePage } from './support/settle-page.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Olga Observer', 'Watch Works');
const { api } = organisation;
/** What an attacker may put into an identifier: markup, a formula, and a text that runs backwards. */
const HOSTILE = `=cmd|'/C calc'!A1<img src=x onerror="document.title='owned'">\u202Egnp`;

let key: string;
let planId: string;
let feature: Feature;
/** Of the live environment. */
let envId: string;

test.beforeEach(async ({ page }) => {
  const workspace = organisation.workspace(page);
  const bounds = { min: 0, max: 100, allowDecimal: false };
  const meter = { limit: 5, periodType: 'lifetime', uniqueResourceIds: false } as const;
  feature = await createFeature(workspace, {
    name: 'Exports',
    slug: 'exports',
    properties: [
      { name: 'Formats', propertyKey: 'formats', type: 'number', value: 1, bounds },
      { name: 'Rows', propertyKey: 'rows', type: 'meterable', value: { state: 'metered', meter } },
    ],
  });
  const starter = { name: 'Starter', slug: 'starter', grantToAuthenticatedUsers: true };
  ({ planId } = await createPlan(workspace, starter));
  await setFormats(page, 3);
  ({ envId, secretKey: key } = await createDeployed(workspace, { name: 'Production', type: 'live' }));
  // Every data location has the version after a moment.
  await expect.poll(async () => (await call(page, { userIdentifier: 'warm@example.com' })).formats).toBe(3);
});

async function setFormats(page: Page, value: number): Promise<void> {
  const plan = await api<Plan>(page, 'GET', `/plans/${planId}`);
  const properties = planProperties([feature], { exports: { formats: value } });
  await setPlanValues(organisation.workspace(page), plan, properties);
}

/** Freezes the workspace and deploys it. */
async function deploy(page: Page): Promise<void> {
  const { artifactId } = await api<Artifact>(page, 'POST', '/artifacts');
  await api(page, 'PUT', `/deployments/${envId}/artifact`, { artifactId });
}

/** An application in Lisbon calls the API. */
async function call(page: Page, data: object, path = 'access-checks') {
  const from = { country: 'PT', city: 'Lisbon', continent: 'EU' };
  const { status, answer } = await callPublicApi(page, key, data, { path, from });
  return { status, answer, formats: answer.features?.exports?.properties.formats };
}

/** Waits until the stream has them all. */
async function recorded(page: Page, textSearch: string, count: number): Promise<Event[]> {
  let events: Event[] = [];
  await expect
    .poll(async () => {
      const criteria = encodeURIComponent(JSON.stringify({ textSearch }));
      ({ events } = await api<{ events: Event[] }>(page, 'GET', `/event-search?criteria=${criteria}`));
      return events.length;
    })
    .toBeGreaterThanOrEqual(count);
  return events;
}

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('link');
const viewer = (page: Page) => page.getByRole('complementary', { name: 'Event' });

/** Presses a key in the very moment in which the viewer shows a text: a key means what is seen when it is pressed. */
async function pressOnceShown(page: Page, key: string, text: string): Promise<void> {
  await viewer(page).evaluate(
    (element, press) => {
      new MutationObserver((_, observer) => {
        if (!element.textContent.includes(press.text)) return;
        observer.disconnect();
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: press.key, bubbles: true, cancelable: true }),
        );
      }).observe(element, { subtree: true, childList: true, characterData: true });
    },
    { key, text },
  );
}

test('decisions are searched, filtered and read by keyboard, and every search can be shared', async ({
  page,
}) => {
  await call(page, { userIdentifier: 'ada@example.com' });
  await call(
    page,
    { userIdentifier: 'bob@example.com', feature: 'exports', property: 'rows', by: 4 },
    'counter-updates',
  );
  await call(
    page,
    { userIdentifier: 'bob@example.com', feature: 'exports', property: 'rows', by: 3, enforce: true },
    'counter-updates',
  );
  await call(page, { userIdentifier: 'ada@example.com', features: ['no such feature'] });
  await call(page, { userIdentifier: 'ada@example.com', features: ['missing'] });
  await recorded(page, 'bob', 2);
  await recorded(page, 'ada', 1);
  await page.goto(`/o/${organisation.id}/observe/events`);
  await expect(rows(page).first()).toBeVisible();

  await test.step('/ focuses the search, and the URL follows', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('bob');
    await expect(page).toHaveURL(/[?&]q=bob/);
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).first()).toContainText('exports.rows +3');
  });

  await test.step('a filter narrows it, and the URL repeats it elsewhere', async () => {
    await page.getByRole('button', { name: 'Filter by outcome' }).click();
    await page.getByRole('option', { name: 'Denied' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('Denied');
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole('textbox', { name: 'Search events' })).toHaveValue('bob');
    await page.getByRole('button', { name: 'Clear outcome' }).click();
    await expect(rows(page)).toHaveCount(2);
    await page.goBack();
    await expect(rows(page)).toHaveCount(1);
    await page.goForward();
    await expect(rows(page)).toHaveCount(2);
  });

  await test.step('j, k, Enter and Escape read the events', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await expect(rows(page).first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(rows(page).nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(viewer(page)).toContainText(
      'bob@example.com in Lisbon, Portugal, used 4 of exports.rows. 4 of 5 used.',
    );
    await expect(viewer(page).getByRole('tab')).toHaveText(['Details', 'Request & Response']);
    await pressOnceShown(page, 'Escape', 'Nothing was counted: limit reached (4 of 5).');
    await page.keyboard.press('k');
    await expect(viewer(page)).toBeHidden();
    await expect(rows(page).first()).toBeFocused();
  });

  await test.step('the chart is a filter too', async () => {
    const chart = page.getByRole('slider', { name: 'Events over time' });
    await expect(chart).toHaveAttribute('aria-valuetext', /\d+ Allowed/);
    await chart.focus();
    // The read-out is that of the whole range while it is selected, as while it is dragged.
    await page.keyboard.press('Shift+Home');
    await expect(chart).toHaveAttribute('aria-valuetext', / to .*: [1-9]\d* Allowed/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/[?&]from=\d+&to=\d+/);
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Clear time' }).click();
    await expect(page).not.toHaveURL(/from=/);
  });

  await test.step('a search without results says so, and offers a way out', async () => {
    await page.getByRole('textbox', { name: 'Search events' }).fill('nobody at all');
    await expect(page.getByRole('heading', { name: 'No events' })).toBeVisible();
    await expectAccessible(page, 'no events');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page).first()).toBeVisible();
    await expectAccessible(page, 'the events');
  });

  await test.step('what is found can be downloaded', async () => {
    await page.getByRole('textbox', { name: 'Search events' }).fill('bob');
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('bob@example.com');
  });

  await test.step('the metrics count them, with a table behind, and lead back to the events', async () => {
    await page
      .getByRole('navigation', { name: 'Observability' })
      .getByRole('link', { name: 'Metrics' })
      .click();
    const features = page.getByRole('list', { name: 'Features' });
    await expect(features).toContainText('exports');
    await expect(page.getByRole('list', { name: 'Customers near a limit' })).toContainText('bob@example.com');
    await expectAccessible(page, 'the metrics');
    const requests = page.locator('section', { hasText: 'All charts share one scale' }).last();
    await requests.getByRole('button', { name: 'Show table' }).click();
    await expect(requests.getByRole('columnheader', { name: 'Counter updates' })).toBeVisible();
    await expectAccessible(page, 'the table behind');
    await requests.getByRole('button', { name: 'Show chart' }).click();
    const latency = page.getByRole('slider', { name: 'Latency over time' });
    await latency.focus();
    await page.keyboard.press('Shift+Home');
    await expect(latency).toHaveAttribute(
      'aria-valuetext',
      /^.+ to .+: p99 [\d.]+\sm?s, p95 [\d.]+\sm?s, p50 /,
    );
    const checks = page.getByRole('slider', { name: 'Access checks over time' });
    await expect(checks).toHaveAttribute('aria-valuetext', /\d+ Allowed/);
    await checks.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/events\?.*type=ac.*from=\d+&to=\d+/);
    await expect(rows(page).first()).toBeVisible();
    await page.goBack();
    await page
      .getByRole('list', { name: 'Warnings' })
      .getByRole('link', { name: /feature-unknown/ })
      .click();
    await expect(page).toHaveURL(/events\?.*q=feature-unknown/);
    await expect(rows(page)).toHaveCount(1);
    await page.goBack();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFitting(page, 'the metrics');
    await features.getByRole('link', { name: /exports/ }).click();
    await expect(page).toHaveURL(/events\?.*feature=exports/);
    await expect(page.getByRole('button', { name: 'Feature Exports' })).toBeVisible();
    await expect(rows(page).first()).toBeVisible();
    await expectFitting(page, 'the events');
  });
});

test('an event says what happened and why, what it would be now, and how to repeat it', async ({
  page,
  expectBrowserError,
}) => {
  await api(page, 'PUT', '/customers/ada@example.com/overrides', {
    environmentId: null,
    reason: 'A test',
    until: null,
    value: 42,
    propertyId: feature.properties.find(({ propertyKey }) => propertyKey === 'formats')!.id,
  });
  await expect.poll(async () => (await call(page, { userIdentifier: 'ada@example.com' })).formats).toBe(42);
  await call(page, { userIdentifier: 'carl@example.com', features: ['exports'] });
  const [overridden] = await recorded(page, 'ada', 1);
  const [plain] = await recorded(page, 'carl', 1);
  await setFormats(page, 7);
  await deploy(page);
  await expect.poll(async () => (await call(page, { userIdentifier: 'dora@example.com' })).formats).toBe(7);

  await test.step('a shared link opens the event by itself', async () => {
    await page.goto(`/o/${organisation.id}/observe/events?event=${plain!.id}`);
    await expect(viewer(page)).toContainText(
      'carl@example.com in Lisbon, Portugal, was checked for exports on the starter plan.',
    );
    await expect(viewer(page).getByRole('link', { name: 'carl@example.com' })).toHaveAttribute(
      'href',
      /\/customers\/carl%40example.com/,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    const edgeOf = async (locator: Locator, side: 'left' | 'right') =>
      locator.evaluate((element, at) => Math.round(element.getBoundingClientRect()[at]), side);
    await settlePage(page);
    const list = page.getByRole('list', { name: 'Events' });
    expect(await edgeOf(list, 'right')).toBeLessThan(await edgeOf(viewer(page), 'left'));
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the values of then are beside those of now', async () => {
    const why = viewer(page).getByRole('region', { name: 'Why' });
    const formats = why.getByRole('listitem').filter({ hasText: 'formats' });
    await expect(why).toContainText('Re-checked with v2 instead of v1. 1 value differs.');
    await expect(formats).toContainText("Set by the plan 'starter'.");
    await expect(formats).toContainText(/3.*Now.*7/);
    await expectAccessible(page, 'an event');
  });

  await test.step('request and response can be read and copied, and the request repeated', async () => {
    await viewer(page).getByRole('tab', { name: 'Request & Response' }).click();
    await expect(viewer(page)).toContainText('"carl@example.com"');
    await expect(viewer(page).getByText('status', { exact: false }).first()).toBeVisible();
    await expectAccessible(page, 'request and response');
    const command = await viewer(page).locator('pre', { hasText: 'curl' }).textContent();
    const output = execFileSync('sh', ['-c', `${command!} -s`], {
      env: { TESSERA_KEY: key, PATH: process.env.PATH },
    });
    expect((JSON.parse(output.toString()) as AccessCheckAnswer).features.exports?.properties.formats).toBe(7);
  });

  await test.step('no workflow ran', async () => {
    await viewer(page).getByRole('tab', { name: 'Workflows' }).click();
    await expect(page).toHaveURL(/[?&]tab=workflows/);
    await page.reload();
    await expect(viewer(page)).toContainText('No Workflows Triggered');
  });

  await test.step('a value that the plans do not set is explained by its override', async () => {
    await page.goto(`/o/${organisation.id}/customers/ada@example.com?environment=${envId}&tab=events`);
    await page.getByRole('list', { name: 'Recent events' }).getByRole('link').first().click();
    const formats = viewer(page)
      .getByRole('region', { name: 'Why' })
      .getByRole('listitem')
      .filter({ hasText: 'formats' });
    await expect(formats).toContainText('Set by override, which takes precedence over every plan.');
    await page.keyboard.press('Escape');
    await expect(viewer(page)).toBeHidden();
    expect(overridden!.subjectIdentifier).toBe('ada@example.com');
  });

  await test.step('the command palette finds the event by the id of its request', async () => {
    await page.keyboard.press('Control+k');
    await page
      .getByRole('textbox', { name: 'Search pages and commands' })
      .fill(plain!.id.replace('evt_', 'req_'));
    await page.getByRole('button', { name: `Open event ${plain!.id}` }).click();
    await expect(viewer(page)).toContainText('carl@example.com');
  });

  await test.step('an unknown id is said to be unknown', async () => {
    expectBrowserError(/evt_unknown/);
    await page.goto(`/o/${organisation.id}/observe/events?event=evt_unknown`);
    await expect(viewer(page)).toContainText('There is no event');
  });
});

test('hostile events are text, and never freeze the page', async ({ page }) => {
  await call(page, { userIdentifier: HOSTILE });
  const [event] = await recorded(page, 'calc', 1);
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
  const response = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}');
  let body: object = { ...event!, request: { userIdentifier: HOSTILE }, response };
  await page.route(`**/events/${event!.id}`, (route) => route.fulfill({ json: body }));
  await page.route('**/workflow-execution-search*', (route) =>
    route.fulfill({
      json: {
        executions: [
          {
            executionId: 'exe_1',
            workflowId: 'wf_1',
            workflowName: '<b>Bold</b>',
            success: false,
            result: null,
            input: {},
            seed: '1',
            wallTime: 12,
            diagnosticMessages: ['<i>boom</i>'],
            logs: [
              { m: '<script>document.title="owned"</script>', l: 'log', t: 1000 },
              { m: 'x'.repeat(1000), l: 'error', t: 1004 },
            ],
          },
        ],
      },
    }),
  );
  const address = `/o/${organisation.id}/observe/events?q=nothing&event=${event!.id}`;
  await page.goto(address);
  await expect(viewer(page)).toContainText(HOSTILE);
  await viewer(page).getByRole('tab', { name: 'Workflows' }).click();
  await expect(viewer(page)).toContainText('Workflow Failed');
  await expect(viewer(page)).toContainText('<i>boom</i>');
  await expect(viewer(page)).toContainText('<script>document.title="owned"</script>');
  await viewer(page).getByText('Errors', { exact: true }).click();
  await expect(viewer(page).getByRole('list', { name: 'Log' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page, 'workflows of an event');
  await viewer(page).getByRole('tab', { name: 'Request & Response' }).click();
  await expect(viewer(page)).toContainText('__proto__');
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false);

  for (const [hostile, shown] of [
    [nested(500), '"a": {'],
    [{ list: Array.from({ length: 50_000 }, (_, index) => index) }, 'more characters'],
    [{ text: 'y'.repeat(2_000_000) }, 'more characters'],
  ] as const) {
    body = { ...event!, response: hostile };
    await page.goto(address);
    await viewer(page).getByRole('tab', { name: 'Request & Response' }).click();
    await expect(viewer(page)).toContainText(shown);
  }
  expect(await page.title()).not.toBe('owned');
});
