// The console with 1000 features of 10 properties each, all in one plan, and with 1000 plans. Every list renders only what is
// near the screen, and still works as a whole: keyboard, search, screen readers, errors, unsaved edits. The pages read their data
// from memory, because creating 10,000 properties takes minutes.
import type { Page } from '@playwright/test';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan, PlanProperties, PlanVersion } from '#contracts/console/plans';
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import { createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const FEATURES = 1000;
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
    costs: null,
    balanceOpens: false,
  };
}

const features: readonly Feature[] = upTo(FEATURES).map((number) => ({
  ...dates,
  id: `feat_${number}`,
  name: `Feature ${number}`,
  slug: `feature-${number}`,
  description: number % 7 === 0 ? `What feature ${number} does, in a sentence.` : null,
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
  isAddOn: false,
  isPublic: false,
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

const isEqual = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

const MOST_NODES = 3000;
const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);
const painted = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Scrolls a screen at a time, far down at once, and back up. Counts the nodes at every step. */
async function expectFewNodesWhileScrolling(page: Page): Promise<void> {
  await page.mouse.move(900, 500);
  for (const distance of [...Array(12).fill(900), 15_000, 15_000, 15_000, -15_000, -15_000, -30_000]) {
    await page.mouse.wheel(0, distance);
    await painted(page);
    expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  }
}

async function openLargePlan(page: Page, path = 'edit-features'): Promise<PlanProperties[]> {
  await join(page.request, newPerson('Lara Large'));
  const orgId = await createOrganisation(page.request, 'Large Works');
  const saved: PlanProperties[] = [];
  await answerForLargePlan(page, saved);
  await page.goto(`/o/${orgId}/plans/${planId}/${path}`);
  return saved;
}

test('the editor of a plan with 1000 features renders what is near the screen, and typing touches one row', async ({
  page,
}) => {
  const field = page.getByLabel('Feature 0: Property 0', { exact: true });
  const saved = await openLargePlan(page);
  await expect(field).toBeVisible();
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  const listed = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: 'Feature 0', exact: true }) });
  await expect(listed).toHaveAttribute('aria-setsize', String(FEATURES));
  await expect(page.getByRole('table', { name: 'Properties of Feature 0' })).toHaveAttribute(
    'aria-rowcount',
    '14',
  );

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
  await page.keyboard.type('12345678901234');
  await expect(field).toHaveValue('12345678901234');
  const touched = await page.evaluate(
    () => (window as unknown as { touchedRows: Set<Element> }).touchedRows.size,
  );
  expect(touched).toBe(1);

  // The focused field stays while the page scrolls far away from it.
  await expectFewNodesWhileScrolling(page);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('12345678901234');

  // Searching, and going to the last feature.
  const search = page.getByPlaceholder('Search by feature name and property name');
  await search.click();
  await page.keyboard.type('feature 999');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const last = page.getByRole('region', { name: 'Feature 999', exact: true });
  await expect(last).toBeInViewport();
  await expect(page.getByLabel('Feature 999: Property 0', { exact: true })).toBeVisible();
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);

  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect(page.getByRole('button', { name: 'Expand all' })).toBeVisible();
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(page.getByRole('button', { name: 'Collapse all' })).toBeVisible();
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);

  await page.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  expect(saved).toHaveLength(1);
  const before = Object.values(properties).flat();
  const after = Object.values(saved[0] ?? {}).flat();
  expect(after).toHaveLength(before.length);
  const changed = after.filter((value, index) => !isEqual(value, before[index] ?? {}));
  expect(changed).toEqual([{ id: 'prop_0_0', type: 'number', value: 12345678901234 }]);
});

test('1000 features in the editor: arrow keys reach every feature, an error is shown wherever it is, and edits stay', async ({
  page,
}) => {
  const saved = await openLargePlan(page);
  const nameOf = (number: number) => `Feature ${number}`;
  const item = (number: number) => page.getByRole('checkbox', { name: nameOf(number), exact: true });

  // One tab stop: Home, End, Page Down and arrow keys move through all features.
  await item(0).focus();
  await page.keyboard.press('End');
  await expect(item(999)).toBeFocused();
  await expect(item(999)).toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await expect(item(998)).toBeFocused();
  await page.keyboard.press('PageUp');
  await expect(item(988)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(item(0)).toBeFocused();
  for (let number = 1; number <= 30; number += 1) await page.keyboard.press('ArrowDown');
  await expect(item(30)).toBeFocused();
  await expect(item(30)).toBeInViewport();
  await expect(page.locator('[tabindex="0"][type=checkbox]')).toHaveCount(1);

  // An invalid value far from the screen: saving scrolls to it and focuses it.
  const search = page.getByPlaceholder('Search by feature name and property name');
  await search.fill('feature 700');
  await search.press('ArrowDown');
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Feature 700: Property 0', { exact: true });
  await field.fill('');
  await search.fill('');
  await item(0).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Feature 0 from the plan' }).click();
  await expect(field).toHaveCount(0);
  await page.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(saved).toHaveLength(0);

  // Leaving asks, and what was entered anywhere is kept.
  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await expect(page.getByText('Leave without saving?')).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await field.fill('77');
  await page.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  expect(Object.keys(saved[0] ?? {})).toHaveLength(FEATURES - 1);
  expect(saved[0]?.feat_700?.find(({ id }) => id === 'prop_700_0')?.value).toBe(77);
});

const plans: readonly Plan[] = upTo(1000).map((number) => ({
  ...plan,
  planId: `plan_${number}`,
  name: `Plan ${number}`,
  planSlug: `plan-${number}`,
}));

const COMPARED = 30;
/** Features in each of the compared plans. */
const CONFIGURED = 100;

test('30 plans with 1000 features are compared: cells near the window are rendered, and keys reach the last one', async ({
  page,
}) => {
  const compared = plans.slice(0, COMPARED);
  const own = Object.fromEntries(Object.entries(properties).slice(0, CONFIGURED));
  const versions = compared.map(({ planId: id }) => ({ ...versionOf(own, 1), planId: id }));
  await join(page.request, newPerson('Cora Compare'));
  const orgId = await createOrganisation(page.request, 'Compare Works');
  await answerForLargePlan(page, []);
  await page.route('**/api/orgs/*/plans', (route) => route.fulfill({ json: compared }));
  await page.route('**/api/orgs/*/plan-versions', (route) =>
    route.fulfill({ json: { versions, next: null } }),
  );
  const cell = (number: number, of: number, name: string) =>
    page.getByRole('button', { name: new RegExp(`^Plan ${number}, Feature ${of}: ${name},`) });
  await page.goto(`/o/${orgId}/plans/compare`);
  await expect(cell(0, 0, 'Enabled')).toBeVisible();
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  const grid = page.getByRole('grid', { name: 'Comparison of plans' });
  await expect(grid).toHaveAttribute('aria-rowcount', String(FEATURES * (PROPERTIES + 1) + 1));
  await expect(grid).toHaveAttribute('aria-colcount', String(COMPARED + 1));

  await grid.hover();
  for (let step = 0; step < 20; step += 1) {
    await page.mouse.wheel(step % 4 === 0 ? 600 : 0, 900);
    await painted(page);
  }
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  await grid.getByRole('button').first().focus();
  await page.keyboard.press('Control+End');
  await expect(cell(COMPARED - 1, FEATURES - 1, `Property ${PROPERTIES - 1}`)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(cell(COMPARED - 1, FEATURES - 1, `Property ${PROPERTIES - 2}`)).toBeFocused();
  await expect(page.getByText(`Plan ${COMPARED - 1}`, { exact: true })).toBeInViewport();
  expect(await nodes(page)).toBeLessThanOrEqual(MOST_NODES);
});

test('lists of 1000 features and plans render what is near the screen, and a search finds the rest', async ({
  page,
}) => {
  await openLargePlan(page, 'feature');
  const table = page.getByRole('table', { name: 'Feature Configuration' });
  await expect(table).toHaveAttribute('aria-rowcount', String(1 + FEATURES * (PROPERTIES + 2)));
  await expectFewNodesWhileScrolling(page);
  await page.getByRole('textbox', { name: 'Search values' }).fill('feature 999');
  await expect(table.getByRole('rowheader', { name: 'Feature 999', exact: true })).toBeInViewport();

  await page.route('**/api/orgs/*/plans', (route) => route.fulfill({ json: plans }));
  await page.route('**/api/orgs/*/plan-summaries', (route) => route.fulfill({ json: [] }));
  for (const { path, label, name } of [
    { path: 'features', label: 'features', name: 'Feature' },
    { path: 'plans', label: 'plans', name: 'Plan' },
  ]) {
    const rows = page.getByRole('table', { name: label });
    const link = (number: number) => rows.getByRole('link', { name: `${name} ${number}`, exact: true });
    await visitPage(page, new URL(page.url()).pathname.replace(/\/plans.*|\/features.*/, `/${path}`));
    await expect(link(0)).toBeVisible();
    await expect(rows).toHaveAttribute('aria-rowcount', '1001');
    await expectFewNodesWhileScrolling(page);
    await page.getByRole('textbox', { name: `Search ${label}` }).fill(`${name} 999`);
    await expect(rows.getByRole('row')).toHaveCount(2);
    await expect(link(999)).toBeInViewport();
    // The slug is found as well, and of features the description.
    for (const text of path === 'features' ? ['feature-994', 'what feature 994 does'] : ['plan-994']) {
      await page.getByRole('textbox', { name: `Search ${label}` }).fill(text);
      await expect(link(994)).toBeInViewport();
      await expect(rows.getByRole('row')).toHaveCount(2);
    }
    await page.getByRole('textbox', { name: `Search ${label}` }).fill('nothing like it');
    await expect(page.getByText('No results')).toBeVisible();
    // The end of the whole list is reached by scrolling too, and its rows know their place.
    await page.getByRole('textbox', { name: `Search ${label}` }).fill('');
    await expect(rows).toHaveAttribute('aria-rowcount', '1001');
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expect(link(999)).toBeInViewport({ timeout: 500 });
    }).toPass();
    await expect(link(999).locator('xpath=ancestor::tr')).toHaveAttribute('aria-rowindex', '1001');
    await expect(link(998)).toHaveAttribute('href', path === 'plans' ? /plan_998/ : /feat_998/);
  }
});
