// The feature editor with 200 features of 10 properties each, all in one plan: what typing and scrolling cost. The counts
// are promises; the times are measured in the browser's own trace and written to the report, for whoever wants to know.
// The page is what is tested here: it is answered from memory, since making 2000 properties takes minutes.
import type { Browser, Page, TestInfo } from '@playwright/test';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan, PlanProperties, PlanVersion } from '#contracts/console/plans';
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import { createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

const FEATURES = 200;
const PROPERTIES = 10;
const TYPES: readonly PropertyType[] = ['number', 'boolean', 'string', 'meterable'];

const VALUES: Record<PropertyType, PropertyValue> = {
  number: 5,
  boolean: true,
  string: 'text',
  meterable: {
    state: 'metered',
    meter: {
      limit: 500,
      periodType: 'rolling',
      periodCount: 1,
      periodLength: 'month',
      uniqueResourceIds: false,
    },
  },
};

const upTo = (count: number) => [...Array(count).keys()];
const dates = { createdAt: 0, updatedAt: 0 };

function makeProperty(id: string, name: string, type: PropertyType): FeatureProperty {
  return {
    ...dates,
    id,
    name,
    propertyKey: id.replaceAll('_', '-'),
    description: null,
    type,
    value: VALUES[type],
    bounds: null,
    conflictResolution: 'higher',
  };
}

const features: readonly Feature[] = upTo(FEATURES).map((number) => ({
  ...dates,
  id: `feat_${number}`,
  name: `Feature ${number}`,
  slug: `feature-${number}`,
  description: null,
  systemFeatureProperties: [makeProperty(`prop_${number}_enabled`, 'Enabled', 'boolean')],
  properties: upTo(PROPERTIES).map((index) =>
    makeProperty(`prop_${number}_${index}`, `Property ${index}`, TYPES[index % TYPES.length]!),
  ),
}));

/** Every property of every feature. */
const properties: PlanProperties = Object.fromEntries(
  features.map((feature) => [
    feature.id,
    [...feature.systemFeatureProperties, ...feature.properties].map(({ id, type }) => ({
      id,
      type,
      value: VALUES[type],
    })),
  ]),
);

const planId = 'plan_large';
const plan: Plan = {
  ...dates,
  planId,
  name: 'Everything',
  planSlug: 'everything',
  description: null,
  grantToAnonymousSessions: false,
  grantToAuthenticatedUsers: false,
  currentVersion: 1,
  grantProductMappings: [],
};

const versionOf = (values: PlanProperties, version: number): PlanVersion => ({
  planId,
  version,
  currentVersion: version,
  properties: values,
  createdAt: 0,
  createdByUserId: null,
});

/** Serves the plan and the features from memory. Saved values are stored in `saved`. */
async function answerForLargePlan(page: Page, saved: PlanProperties[]): Promise<void> {
  await page.route('**/api/orgs/*/features', (route) => route.fulfill({ json: features }));
  await page.route(`**/api/orgs/*/plans/${planId}`, (route) => route.fulfill({ json: plan }));
  await page.route(`**/api/orgs/*/plans/${planId}/versions/*`, (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: versionOf(properties, 1) });
    const sent = (route.request().postDataJSON() as { properties: PlanProperties }).properties;
    saved.push(sent);
    return route.fulfill({ json: versionOf(sent, 2) });
  });
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  /** Microseconds by the clock, and of the processor: the machine may be busy with other things. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly type?: string } };
}

/** Milliseconds of the processor's time that Chromium wrote down for the page while `act` ran. */
async function traced(browser: Browser, page: Page, act: () => Promise<void>) {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const durations = (isWanted: (event: TraceEvent) => boolean) =>
    traceEvents
      .filter((event) => event.ph === 'X' && isWanted(event))
      .map(({ dur = 0, tdur = dur }) => tdur / 1000)
      .sort((one, other) => one - other);
  return {
    tasks: durations(({ name }) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask'),
    inputs: durations(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'input'),
  };
}

function summary(label: string, sorted: readonly number[]): string {
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `${label}: ${sorted.length}, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`;
}

const isEqual = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

function report(testInfo: TestInfo, lines: readonly string[]): void {
  for (const description of lines) testInfo.annotations.push({ type: 'measured', description });
  console.log(lines.map((line) => `    ${line}`).join('\n'));
}

// Playwright's own recording takes a snapshot of the whole page with each step, which is not what is measured here.
test.use({ trace: 'off' });

test('200 features of 10 properties: typing touches one row, and scrolling draws only what is near', async ({
  page,
  browser,
}, testInfo) => {
  await join(page.request, newPerson('Lara Large'));
  const orgId = await createOrganisation(page.request, 'Large Works');
  const saved: PlanProperties[] = [];
  await answerForLargePlan(page, saved);

  const field = page.getByLabel('Feature 0: Property 0', { exact: true });
  const opening = await traced(browser, page, async () => {
    await page.goto(`/o/${orgId}/plans/${planId}/edit-features`);
    await expect(field).toBeVisible();
  });
  await expect(page.getByRole('checkbox', { name: /^Feature \d+$/ })).toHaveCount(FEATURES);
  const rows = () => page.locator('[data-property]').count();
  expect(await rows()).toBeLessThan((FEATURES * PROPERTIES) / 10);

  // Typing: which rows does the page touch?
  await page.evaluate(() => {
    const touched = new Set<Element>();
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const row = element?.closest('[data-property]');
        if (row) touched.add(row);
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    Object.assign(window, { touchedRows: touched });
  });
  await field.focus();
  await page.keyboard.press('Control+a');
  const typing = await traced(browser, page, async () => {
    await page.keyboard.type('12345678901234', { delay: 30 });
  });
  await expect(field).toHaveValue('12345678901234');
  const touched = await page.evaluate(
    () => (window as unknown as { touchedRows: Set<Element> }).touchedRows.size,
  );
  expect(touched).toBe(1);

  // Scrolling from the first feature to the last and back.
  let mostRows = 0;
  const scrolling = await traced(browser, page, async () => {
    await page.mouse.move(900, 500);
    for (let step = 0; step < 60; step += 1) {
      await page.mouse.wheel(0, step < 50 ? 900 : -4000);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      if (step % 10 === 0) mostRows = Math.max(mostRows, await rows());
    }
  });
  expect(mostRows).toBeLessThan((FEATURES * PROPERTIES) / 5);

  // Searching, and going to the last feature.
  const search = page.getByPlaceholder('Search by feature name and property name');
  const searching = await traced(browser, page, async () => {
    await search.click();
    await page.keyboard.type('feature 199', { delay: 30 });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  });
  await expect(page.getByRole('region', { name: 'Feature 199', exact: true })).toBeInViewport();
  await expect(page.getByLabel('Feature 199: Property 0', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  expect(saved).toHaveLength(1);
  const before = Object.values(properties).flat();
  const after = Object.values(saved[0] ?? {}).flat();
  expect(after).toHaveLength(before.length);
  const changed = after.filter((value) => !before.some((other) => isEqual(value, other)));
  expect(changed).toEqual([{ id: 'prop_0_0', type: 'number', value: 12345678901234 }]);

  report(testInfo, [
    summary('opening, tasks', opening.tasks),
    summary('typing, tasks', typing.tasks),
    summary('typing, the page’s work for one key', typing.inputs),
    summary('scrolling, tasks', scrolling.tasks),
    `scrolling, tasks over 50 ms: ${scrolling.tasks.filter((ms) => ms > 50).length}; most rows drawn at once: ${mostRows}`,
    summary('searching, tasks', searching.tasks),
  ]);
});
