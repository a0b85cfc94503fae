// Features and their properties, end to end, checked against the API.
import type { Page } from '@playwright/test';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { PASSWORD, signInOnPage } from './support/people.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Fia Features', 'Feature Works');
const { api } = organisation;

const makeFeature = (page: Page, name: string, slug: string) =>
  api<Feature>(page, 'POST', '/features', { name, slug });

const makeProperty = (page: Page, feature: Feature, body: object) =>
  api<FeatureProperty>(page, 'POST', `/features/${feature.id}/properties`, body);

const rowsProperty = { name: 'Rows', propertyKey: 'rows', type: 'number', value: 1 };

const open = (page: Page, feature: Feature) => page.goto(`/o/${organisation.id}/features/${feature.id}`);

test('the first feature: from the empty state to its page; a slug in use is refused beside the field', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('the first feature: from the empty state to its page, its slug following the name until edited', async () => {
    await page.goto(`/o/${organisation.id}/features`);
    await expect(page.getByRole('heading', { name: 'No Features' })).toBeVisible();
    await page.getByRole('button', { name: 'Create a feature' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a feature' });
    const name = dialog.getByLabel('Name');
    const slug = dialog.getByLabel('Slug');
    await expect(name).toBeFocused();

    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Required')).toHaveCount(2);
    await name.fill('Café Exports  v2.0!');
    await expect(slug).toHaveValue('cafe-exports-v2-0');
    await slug.fill('exports');
    await name.fill('Café exports');
    await expect(slug).toHaveValue('exports');
    await slug.fill('Not A Slug');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Use lower-case letters, digits, hyphens and underscores')).toBeVisible();
    await expect(slug).toBeFocused();
    // Something was entered: Esc asks, and Esc again goes back to it.
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('alert')).toContainText('Discard what you entered?');
    await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(slug).toBeFocused();
    // The same before the next frame, which on a busy computer comes late: it takes the focus from nothing that came meanwhile.
    await slug.evaluate(async (field: HTMLInputElement) => {
      field.form?.requestSubmit();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
    await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(slug).toBeFocused();
    await slug.fill('exports');
    await dialog.getByLabel('Description').fill('Files with the raw data');
    await dialog.getByRole('button', { name: 'Create feature' }).click();

    await expect(page).toHaveURL(/\/features\/feat_/);
    await expect(page.getByRole('heading', { level: 1, name: 'Café exports' })).toBeVisible();
    const [feature] = await api<Feature[]>(page, 'GET', '/features');
    expect(feature).toMatchObject({
      name: 'Café exports',
      slug: 'exports',
      description: 'Files with the raw data',
    });
    await page.getByRole('link', { name: 'Features', exact: true }).first().click();
    await expect(page.getByRole('row', { name: /Café exports/ })).toBeVisible();
  });
  await organisation.renew(page);
  await test.step('a slug that already exists is refused beside the field, and nothing typed is lost', async () => {
    expectBrowserError(/409/);
    await makeFeature(page, 'Exports', 'exports');
    await page.goto(`/o/${organisation.id}/features`);
    await page.getByRole('button', { name: 'Create a feature' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Exports');
    await dialog.getByRole('button', { name: 'Create feature' }).click();
    await expect(dialog.getByText('A feature with the slug "exports" already exists')).toBeVisible();
    await expect(page.getByText('Duplicate Entry')).toHaveCount(0);
    await expect(dialog.getByLabel('Name')).toHaveValue('Exports');
  });
});

/** Opens the dialog with a name and a type. */
async function startProperty(page: Page, type: string, name: string) {
  await page.getByRole('button', { name: 'Add a property' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('radio', { name: type, exact: true }).check();
  return dialog;
}

async function saveProperty(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Create property' }).click();
  await expect(page.getByText('Feature Properties Updated').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
}

const rowOf = (page: Page, name: RegExp) =>
  page.getByRole('table', { name: 'Properties', exact: true }).getByRole('row', { name });

test('a number is added with bounds that its default must respect, and a rule', async ({ page }) => {
  const feature = await makeFeature(page, 'Exports', 'exports');
  await open(page, feature);
  await expect(page.getByText('No properties yet.', { exact: false })).toBeVisible();
  const number = await startProperty(page, 'Number', 'Rows per file');
  await expect(number.getByLabel('Key')).toHaveValue('rows-per-file');
  await number.getByLabel('Minimum').fill('10');
  await number.getByLabel('Maximum').fill('1');
  await number.getByLabel('Default value').fill('');
  await number.getByRole('button', { name: 'Create property' }).click();
  await expect(number.getByText('Minimum value must be less than or equal to maximum value')).toBeVisible();
  await expect(number.getByText('Required')).toBeVisible();
  await number.getByLabel('Maximum').fill('1 000 000');
  await number.getByLabel('Default value').fill('5');
  await expect(number.getByText('Must be greater than or equal to 10')).toBeVisible();
  await number.getByLabel('Default value').fill('2500');
  await number.getByRole('radio', { name: 'The lowest value wins' }).check();
  await saveProperty(page);
  await expect(rowOf(page, /Rows per file/)).toContainText('2,500');
  await expect(rowOf(page, /Rows per file/)).toContainText('10 to 1,000,000');
  const { properties } = await api<Feature>(page, 'GET', `/features/${feature.id}`);
  expect(properties).toMatchObject([
    {
      propertyKey: 'rows-per-file',
      value: 2500,
      bounds: { min: 10, max: 1_000_000, allowDecimal: false },
      conflictResolution: 'lower',
    },
  ]);
});

test('a boolean and a text are added with their defaults', async ({ page }) => {
  const feature = await makeFeature(page, 'Exports', 'exports');
  await open(page, feature);
  await startProperty(page, 'Boolean', 'Compression');
  await page.getByRole('switch', { name: 'Default value' }).check();
  await saveProperty(page);

  const text = await startProperty(page, 'String', 'Formats');
  await text.getByRole('textbox', { name: 'Default value' }).fill('csv, json');
  await saveProperty(page);
  await expect(rowOf(page, /Formats/)).toContainText('"csv, json"');
  const { properties } = await api<Feature>(page, 'GET', `/features/${feature.id}`);
  expect(properties).toMatchObject([
    { propertyKey: 'compression', value: true, bounds: null, conflictResolution: 'higher' },
    { propertyKey: 'formats', value: 'csv, json' },
  ]);
});

test('a meter is added with a limit, a period and unique resource ids, and a balance opens one of amounts', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/400/);
  const feature = await makeFeature(page, 'Exports', 'exports');
  await open(page, feature);
  const meter = await startProperty(page, 'Meterable', 'Exports');
  await meter.getByLabel('Key').fill('exports.made');
  await meter.getByRole('radio', { name: 'Metered' }).check();
  await expect(meter.getByLabel('Limit of the default value')).toHaveValue('1');
  await expect(meter.getByLabel('Period of the default value')).toHaveValue('lifetime');
  await meter.getByLabel('Period of the default value').selectOption('in the last');
  await expect(meter.getByLabel('Number of periods of the default value')).toHaveValue('1');
  await expect(meter.getByLabel('Length of the period of the default value')).toHaveValue('month');
  await meter.getByLabel('Limit of the default value').fill('500');
  await meter.getByLabel('Number of periods of the default value').fill('30');
  await meter.getByLabel('Length of the period of the default value').selectOption('days');
  await meter.getByRole('switch', { name: 'A balance opens the feature' }).check();
  await meter.getByLabel('Unique resource IDs').check();
  await meter.getByRole('button', { name: 'Create property' }).click();
  await expect(meter.getByText('Only meters of amounts have balances')).toBeVisible();
  await meter.getByRole('switch', { name: 'A balance opens the feature' }).uncheck();
  await saveProperty(page);
  await expect(rowOf(page, /exports\.made/)).toContainText('500 in the last 30 days');
  const { properties } = await api<Feature>(page, 'GET', `/features/${feature.id}`);
  expect(properties).toMatchObject([
    {
      propertyKey: 'exports.made',
      value: {
        state: 'metered',
        meter: {
          limit: 500,
          periodType: 'fixed',
          periodCount: 30,
          periodLength: 'day',
          uniqueResourceIds: true,
        },
      },
    },
  ]);
  await page.getByRole('button', { name: 'Exports', exact: true }).click();
  await meter.getByLabel('Unique resource IDs').uncheck();
  await meter.getByRole('switch', { name: 'A balance opens the feature' }).check();
  await meter.getByRole('button', { name: 'Save changes' }).click();
  await expect(meter).toBeHidden();
  expect((await api<Feature>(page, 'GET', `/features/${feature.id}`)).properties).toMatchObject([
    { balanceOpens: true },
  ]);
});

test('a property is edited and deleted; of a system property only the default and the rule can be set', async ({
  page,
}) => {
  await test.step('a property is edited and deleted; its key and type stay as they are', async () => {
    const feature = await makeFeature(page, 'Exports', 'exports');
    await makeProperty(page, feature, { name: 'Compression', propertyKey: 'compression', type: 'boolean' });
    await open(page, feature);
    await page.getByRole('button', { name: 'Compression', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Compression' });
    await expect(dialog.getByLabel('Key', { exact: true })).toHaveCount(0);
    await expect(dialog.getByRole('radio', { name: 'Number' })).toHaveCount(0);
    await expect(dialog.getByText('compression', { exact: true })).toBeVisible();
    await dialog.getByLabel('Name').fill('Compressed');
    await dialog.getByRole('switch', { name: 'Default value' }).check();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Feature Properties Updated')).toBeVisible();
    expect((await api<Feature>(page, 'GET', `/features/${feature.id}`)).properties).toMatchObject([
      { name: 'Compressed', propertyKey: 'compression', value: true },
    ]);

    await page.getByRole('button', { name: 'Actions for Compressed' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const asking = page.getByRole('dialog', { name: 'Delete property Compressed?' });
    await expect(asking).toContainText('exports.compression');
    await asking.getByRole('button', { name: 'Delete Compressed' }).click();
    await expect(asking).toBeHidden();
    expect((await api<Feature>(page, 'GET', `/features/${feature.id}`)).properties).toEqual([]);
  });
  await organisation.renew(page);
  await test.step('of a system property only the default and the rule can be set', async () => {
    const feature = await makeFeature(page, 'Exports', 'exports');
    await open(page, feature);
    await page.getByRole('button', { name: 'Actions for Enabled' }).click();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0);
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enabled' });
    await expect(dialog.getByLabel('Name')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Actions for Enabled' })).toBeFocused();
    await page.getByRole('button', { name: 'Enabled', exact: true }).click();
    await dialog.getByRole('switch', { name: 'Default value' }).check();
    await dialog.getByRole('radio', { name: 'Off wins over on' }).check();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toBeHidden();
    const { systemFeatureProperties } = await api<Feature>(page, 'GET', `/features/${feature.id}`);
    expect(systemFeatureProperties).toMatchObject([{ value: true, conflictResolution: 'lower' }]);
  });
});

test('two people at one feature: both values are shown, nothing typed is lost, and plans are never left out of bounds', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('when somebody else changes the definition meanwhile, both values are shown and nothing is lost', async () => {
    expectBrowserError(/409/);
    const feature = await makeFeature(page, 'Exports', 'exports');
    await open(page, feature);
    const save = page.getByRole('button', { name: 'Save changes' });
    await expect(save).toBeDisabled();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('My exports');
    await page.getByRole('textbox', { name: 'Slug' }).fill('my-exports');
    await api(page, 'PUT', `/features/${feature.id}`, { name: 'Their exports', description: 'Theirs' });
    const changeSlug = page.getByRole('dialog').getByRole('button', { name: 'Change slug' });
    await save.click();
    await expect(page.getByText('No workflow, plan or product uses it.')).toBeVisible();
    await changeSlug.click();

    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'The feature was changed by you in another tab in the meantime' });
    await expect(notice).toContainText('My exports');
    await expect(notice).toContainText('Their exports');
    await expect(notice).toContainText('The form now contains the saved change to Description.');
    await expect(name).toHaveValue('My exports');
    await expect(page.getByLabel('Description')).toHaveValue('Theirs');
    await notice.getByRole('button', { name: 'Take this' }).click();
    await expect(name).toHaveValue('Their exports');
    await save.click();
    await changeSlug.click();
    await expect(page.getByText('Feature updated')).toBeVisible();
    await expect(notice).toBeHidden();
    await expect(save).toBeDisabled();
    expect(await api<Feature>(page, 'GET', `/features/${feature.id}`)).toMatchObject({
      name: 'Their exports',
      slug: 'my-exports',
      description: 'Theirs',
    });
  });
  await organisation.renew(page);
  await test.step('a property that changes meanwhile is no conflict with a change of the definition', async () => {
    const feature = await makeFeature(page, 'Exports', 'exports');
    const property = await makeProperty(page, feature, rowsProperty);
    await open(page, feature);
    await page.getByLabel('Description').fill('Mine');
    await api(page, 'PUT', `/features/${feature.id}/properties/${property.id}`, { value: 2 });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Feature updated')).toBeVisible();
    const saved = await api<Feature>(page, 'GET', `/features/${feature.id}`);
    expect(saved).toMatchObject({ description: 'Mine', properties: [{ value: 2 }] });
  });
  await organisation.renew(page);
  await test.step('when somebody else changes the property meanwhile, saving again keeps what was entered', async () => {
    expectBrowserError(/409/);
    const feature = await makeFeature(page, 'Exports', 'exports');
    const property = await makeProperty(page, feature, rowsProperty);
    await open(page, feature);
    await page.getByRole('button', { name: 'Rows', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Rows' });
    await dialog.getByLabel('Default value').fill('20');
    await api(page, 'PUT', `/features/${feature.id}/properties/${property.id}`, { value: 30, name: 'Lines' });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    const notice = dialog.getByRole('alert');
    await expect(notice).toContainText('The property was changed by you in another tab in the meantime');
    await expect(notice).toContainText('20');
    await expect(notice).toContainText('30');
    await expect(dialog.getByLabel('Default value')).toHaveValue('20');
    await expect(dialog.getByLabel('Name')).toHaveValue('Lines');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toBeHidden();
    const { properties } = await api<Feature>(page, 'GET', `/features/${feature.id}`);
    expect(properties).toMatchObject([{ name: 'Lines', value: 20 }]);
  });
  await organisation.renew(page);
  await test.step('bounds that a plan’s value does not fit are refused with the name of the plan', async () => {
    expectBrowserError(/409/);
    const feature = await makeFeature(page, 'Exports', 'exports');
    const property = await makeProperty(page, feature, rowsProperty);
    for (const [name, value] of [
      ['Pro', 500],
      ['Scale', 9000],
    ] as const) {
      const plan = await api<Plan>(page, 'POST', '/plans', { name, slug: name.toLowerCase() });
      const properties = { [feature.id]: [{ id: property.id, type: 'number', value }] };
      await api(page, 'PUT', `/plans/${plan.planId}/versions/${plan.currentVersion}`, { properties });
    }
    await open(page, feature);
    await page.getByRole('button', { name: 'Rows', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Rows' });
    await dialog.getByLabel('Maximum').fill('100');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog.getByRole('alert')).toContainText(
      'The plan "Pro" configures 500: Must be less than or equal to 100',
    );
    await expect(dialog.getByRole('alert')).toContainText('The plan "Scale" configures 9000');
    await expect(dialog.getByLabel('Maximum')).toHaveValue('100');
    await dialog.getByLabel('Maximum').fill('10000');
    await expect(dialog.getByRole('alert')).toBeHidden();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toBeHidden();
    expect((await api<Feature>(page, 'GET', `/features/${feature.id}`)).properties[0]?.bounds?.max).toBe(
      10_000,
    );
  });
});

test('deleting a feature names where it is still deployed; unsaved changes and a deleted feature are reported', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('deleting a feature says where it is still in force, and takes it from the workspace only', async () => {
    const deployed = await makeFeature(page, 'Exports', 'exports');
    const live = await api<Environment>(page, 'POST', '/environments', { name: 'Production', type: 'live' });
    await api(page, 'POST', '/environments', { name: 'Staging', type: 'test' });
    const version = await api<Artifact>(page, 'POST', '/artifacts');
    await api(page, 'PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
    await makeFeature(page, 'Undeployed', 'undeployed');

    await page.goto(`/o/${organisation.id}/features`);
    await page.getByRole('button', { name: 'Actions for Undeployed' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const asking = page.getByRole('dialog');
    const places = asking.getByRole('status', { name: 'Where it is deployed' });
    await expect(places).not.toContainText('Production');
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await expect(asking).toBeHidden();

    await page.getByRole('link', { name: 'Exports', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Never saved');
    await page.getByRole('button', { name: 'Delete Exports' }).click();
    await expect(asking).toContainText('Access checks stop returning exports');
    await expect(places).toContainText('Production');
    await expect(places).toContainText('v1 stays until a version without it is deployed');
    await expect(places).not.toContainText('Staging');
    await asking.getByRole('button', { name: 'Delete Exports' }).click();
    await expect(page).toHaveURL(/\/features$/);
    await expect(page.getByRole('link', { name: 'Exports', exact: true })).toHaveCount(0);
    expect((await api<Feature[]>(page, 'GET', '/features')).map(({ id }) => id)).not.toContain(deployed.id);
  });
  await organisation.renew(page);
  await test.step('unsaved changes are asked about, and a feature that is gone says so', async () => {
    expectBrowserError(/40[14]/);
    const feature = await makeFeature(page, 'Exports', 'exports');
    await open(page, feature);
    await page.getByRole('textbox', { name: 'Name' }).fill('Changed');
    await page.getByRole('link', { name: 'Plans' }).click();
    await expect(page.getByText('Leave without saving?')).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Changed');
    await page.getByRole('textbox', { name: 'Name' }).fill('Exports');

    await page.getByRole('link', { name: 'Features', exact: true }).first().click();
    await page.getByRole('link', { name: 'Exports', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.getByRole('button', { name: 'Add a property' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Half entered');
    await page.goBack();
    await expect(page.getByText('Leave without saving?')).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Half entered');
    // The session ends: the property is there when its dialog opens again, and the name is not saved over somebody else's.
    await api(page, 'PUT', `/features/${feature.id}`, { name: 'Theirs' });
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Create property' }).click();
    await signInOnPage(page, organisation.owner.email, PASSWORD);
    await expect(page.getByText('was changed by someone else in the meantime')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
    await page.getByRole('button', { name: 'Add a property' }).click();
    await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Half entered');

    await api(page, 'DELETE', `/features/${feature.id}`);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Feature Deleted' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to features' }).click();
    await expect(page.getByRole('heading', { name: 'No Features' })).toBeVisible();
  });
});

test('the pages of features have no serious violation of WCAG, and fit a narrow screen', async ({ page }) => {
  await page.goto(`/o/${organisation.id}/features`);
  await expect(page.getByRole('heading', { name: 'No Features' })).toBeVisible();
  await expectAccessible(page, 'no features');
  const feature = await makeFeature(page, 'Exports', 'exports');
  const meter = {
    limit: 500,
    periodType: 'fixed',
    periodCount: 30,
    periodLength: 'day',
    uniqueResourceIds: true,
  };
  for (const [name, propertyKey, type, value] of [
    ['Compression', 'compression', 'boolean', true],
    ['Rows', 'rows', 'number', 1_000_000],
    ['Formats', 'formats', 'string', 'csv, json and a longer line of text that does not fit'],
    ['Exports', 'exports', 'meterable', { state: 'metered', meter }],
  ] as const) {
    await makeProperty(page, feature, { name, propertyKey, type, value });
  }
  await page.reload();
  await expect(page.getByRole('link', { name: 'Exports', exact: true })).toBeVisible();
  await expectAccessible(page, 'the list');
  await open(page, feature);
  await expect(page.getByRole('heading', { name: 'Definition' })).toBeVisible();
  await expectAccessible(page, 'the feature');
  for (const name of ['Compression', 'Rows', 'Formats', 'Exports']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await expectAccessible(page, `the dialog of ${name}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('button', { name, exact: true })).toBeFocused();
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitting(page);
});
