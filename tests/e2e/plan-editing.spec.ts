// What plans configure: edited one by one and side by side, by two people at once, and what the API then holds.
import type { Page } from '@playwright/test';
import type { Plan, PlanProperties } from '#contracts/console/plans';
import { newColleague } from './support/colleague.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { PASSWORD, signInOnPage } from './support/people.ts';
import { exports, idOf, label, planWorkspace, seats, sharing } from './support/plan-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Paula Plans', 'Plan Works');
const { api } = organisation;
const { makePlan, makeFeature, valuesOf, saveValues } = planWorkspace(organisation);

const openEditor = async (page: Page, planId: string) => {
  await page.goto(`/o/${organisation.id}/plans/${planId}/edit-features`);
  await expect(page.getByRole('button', { name: 'Update Plan' })).toBeVisible();
  // The page is there before its data, which cannot be searched yet.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
};

const update = (page: Page) => page.getByRole('button', { name: 'Update Plan' });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const feature = (page: Page, name: string) =>
  page.getByRole('region', { name: 'All features' }).getByRole('checkbox', { name, exact: true });

test('what a plan configures, with every type of value, from an empty plan to the table that shows it', async ({
  page,
}) => {
  const team = await makeFeature(page, 'Team seats', 'team', [seats, sharing]);
  const files = await makeFeature(page, 'Data exports', 'files', [exports, label]);
  const { planId } = await makePlan(page, 'Professional', 'pro');

  await page.goto(`/o/${organisation.id}/plans/${planId}/feature`);
  await expect(page.getByRole('heading', { name: 'Feature Configuration' })).toBeVisible();
  await expect(page.getByText('This plan has no features configured yet')).toBeVisible();
  await page.getByRole('link', { name: 'Configure Features' }).click();
  await expect(page).toHaveURL(/\/edit-features$/);
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden();
  await expect(update(page)).toBeDisabled();

  await page.getByPlaceholder('Search by feature name and property name').fill('sharing');
  await expect(feature(page, 'Data exports')).toBeHidden();
  await feature(page, 'Team seats').check();
  await page.getByPlaceholder('Search by feature name and property name').fill('');
  await feature(page, 'Data exports').check();

  const seatsSection = section(page, 'Team seats');
  await expect(
    seatsSection.getByRole('button', { name: 'Use the default for Team seats: Enabled' }),
  ).toBeVisible();
  await expect(seatsSection.getByRole('button', { name: 'Set a value for Team seats: Seats' })).toBeVisible();
  await seatsSection.getByRole('button', { name: 'Set a value for Team seats: Seats' }).click();
  await seatsSection.getByRole('radio', { name: 'Metered' }).check();
  const meter = seatsSection.getByRole('group', { name: 'Meter of Team seats: Seats' });
  await expect(meter.getByLabel('Limit of Team seats: Seats')).toHaveValue('1');
  await expect(meter.getByLabel('Period of Team seats: Seats', { exact: true })).toHaveValue('lifetime');
  await meter.getByLabel('Limit of Team seats: Seats').fill('25');
  await meter.getByLabel('Period of Team seats: Seats', { exact: true }).selectOption('every');
  await meter.getByLabel('Number of periods of Team seats: Seats').fill('2');
  await meter.getByLabel('Unique resource IDs').check();

  const filesSection = section(page, 'Data exports');
  await filesSection.getByRole('button', { name: 'Set a value for Data exports: Exports a day' }).click();
  await filesSection.getByLabel('Data exports: Exports a day', { exact: true }).fill('50');
  await filesSection.getByRole('button', { name: 'Set a value for Data exports: Label' }).click();
  await expect(filesSection.getByLabel('Data exports: Label', { exact: true })).toHaveValue('basic');
  await filesSection.getByLabel('Data exports: Label', { exact: true }).fill('professional');
  await expect(page.getByText('5 changes in 2 features')).toBeVisible();
  await update(page).click();

  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page).toHaveURL(/\/feature$/);
  const values = await valuesOf(page, planId);
  expect(values[team.id]).toHaveLength(2);
  expect(values[team.id]).toEqual(
    expect.arrayContaining([
      { id: idOf(team, 'enabled'), type: 'boolean', value: true },
      {
        id: idOf(team, 'seats'),
        type: 'meterable',
        value: {
          state: 'metered',
          meter: {
            limit: 25,
            periodType: 'rolling',
            periodCount: 2,
            periodLength: 'month',
            uniqueResourceIds: true,
          },
        },
      },
    ]),
  );
  expect(values[files.id]).toEqual(
    expect.arrayContaining([
      { id: idOf(files, 'exportsADay'), type: 'number', value: 50 },
      { id: idOf(files, 'label'), type: 'string', value: 'professional' },
    ]),
  );

  const table = page.getByRole('table', { name: 'Feature Configuration' });
  await expect(table.getByRole('row', { name: /^Seats/ })).toContainText('25 / 2 months');
  await expect(table.getByRole('columnheader', { name: 'Default' })).toBeHidden();
  await expect(table.getByRole('row', { name: /^Sharing/ })).toBeHidden();
  await page.getByLabel('Show All Properties').check();
  await expect(table.getByRole('columnheader', { name: 'Default' })).toBeVisible();
  await expect(table.getByRole('row', { name: /^Sharing/ })).toContainText('Default');
  await expect(table.getByRole('row', { name: /^Label/ })).toContainText('"basic"');
});

test('a limit by billing period can be another one in a trial, which the plan shows', async ({ page }) => {
  const team = await makeFeature(page, 'Trial seats', 'trial-seats', [seats]);
  const { planId } = await makePlan(page, 'Trialled', 'trialled');
  await openEditor(page, planId);
  await feature(page, 'Trial seats').check();
  const own = section(page, 'Trial seats');
  const name = 'Trial seats: Seats';
  await own.getByRole('button', { name: `Set a value for ${name}` }).click();
  await own.getByRole('radio', { name: 'Metered' }).check();
  await own.getByLabel(`Limit of ${name}`).fill('100');
  await expect(own.getByLabel(`Limit in a trial of ${name}`)).toBeHidden();
  await own.getByLabel(`Period of ${name}`, { exact: true }).selectOption('every billing');
  await own.getByLabel(`Limit in a trial of ${name}`).fill('10');
  await expectAccessible(page, 'the editor with a limit in a trial');
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('10 in a trial')).toBeVisible();
  const saved = () => valuesOf(page, planId);
  expect((await saved())[team.id]).toContainEqual(
    expect.objectContaining({
      value: {
        state: 'metered',
        meter: expect.objectContaining({ limit: 100, periodType: 'billing', trialLimit: 10 }),
      },
    }),
  );
  await openEditor(page, planId);
  await own.getByLabel(`Limit in a trial of ${name}`).fill('');
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('in a trial')).toBeHidden();
});

const desks = { ...seats, name: 'Desks', propertyKey: 'desks' };

test('a plan can limit each member of a customer, beside a meter and where nothing else is limited', async ({
  page,
}) => {
  const team = await makeFeature(page, 'Team seats', 'team-seats', [seats, desks]);
  const { planId } = await makePlan(page, 'Members', 'members');
  await openEditor(page, planId);
  await feature(page, 'Team seats').check();
  const own = section(page, 'Team seats');
  const name = 'Team seats: Seats';
  const each = own.getByLabel(`Limit of each member of ${name}`, { exact: true });
  await own.getByRole('button', { name: `Set a value for ${name}` }).click();
  await own.getByRole('radio', { name: 'Metered' }).check();
  await own.getByLabel(`Limit of ${name}`, { exact: true }).fill('100');
  await expect(own.getByLabel(`Period of each member of ${name}`)).toBeHidden();
  await own.getByPlaceholder('No limit').fill('20');
  await own.getByLabel(`Number of periods of each member of ${name}`).fill('2');
  await expectAccessible(page, 'the editor with a limit of each member');
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('20 / 2 months each')).toBeVisible();
  const perEntity = { limit: 20, periodType: 'rolling', periodCount: 2, periodLength: 'month' };
  expect((await valuesOf(page, planId))[team.id]).toContainEqual(
    expect.objectContaining({ value: { state: 'metered', meter: expect.anything(), perEntity } }),
  );
  await openEditor(page, planId);
  await own.getByRole('radio', { name: 'On' }).check();
  await own.getByPlaceholder('No limit').fill('');
  await expect(each.last()).toHaveValue('');
  await own.getByPlaceholder('No limit').fill('5');
  const who = own.getByLabel(`Who of each member of ${name}`);
  await who.selectOption({ label: 'with a seat: Team seats › Desks' });
  await expectAccessible(page, 'the editor with seats of members');
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('5 / month each with a seat')).toBeVisible();
  await openEditor(page, planId);
  await who.selectOption({ label: 'with or without a seat' });
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('5 / month each', { exact: true })).toBeVisible();
});

test('what is left of a limit rolls over as its plan says, with an example of when', async ({ page }) => {
  const team = await makeFeature(page, 'Credits', 'credits', [seats]);
  const { planId } = await makePlan(page, 'Rolling', 'rolling');
  await openEditor(page, planId);
  await feature(page, 'Credits').check();
  const own = section(page, 'Credits');
  const name = 'Credits: Seats';
  await own.getByRole('button', { name: `Set a value for ${name}` }).click();
  await own.getByRole('radio', { name: 'Metered' }).check();
  await own.getByLabel(`Limit of ${name}`).fill('10000');
  const rolls = own.getByLabel(`Unused rolls over of ${name}`);
  await expect(rolls).toBeHidden();
  await own.getByLabel(`Period of ${name}`, { exact: true }).selectOption('every billing');
  await rolls.check();
  await own.getByLabel(`Most of ${name} that rolls over`).fill('0');
  await expect(own.getByText('Must be greater than or equal to 1')).toBeVisible();
  await own.getByLabel(`Most of ${name} that rolls over`).fill('2000');
  await expect(own.getByText(/2,000 can be used from 28 Feb(, 2026)? until 31 Mar/)).toBeVisible();
  await expectAccessible(page, 'the editor with a rollover');
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('up to 2,000 roll over for 1 month')).toBeVisible();
  expect((await valuesOf(page, planId))[team.id]).toContainEqual(
    expect.objectContaining({
      value: {
        state: 'metered',
        meter: expect.objectContaining({ limit: 10_000, rollover: { max: 2000, lasts: { months: 1 } } }),
      },
    }),
  );
  await openEditor(page, planId);
  await own.getByLabel(`Unique resource IDs of ${name}`).check();
  await expect(rolls).toBeHidden();
});

test('a plan says how far usage may exceed a limit', async ({ page }) => {
  const team = await makeFeature(page, 'Overages', 'overages', [seats]);
  const { planId } = await makePlan(page, 'Above', 'above');
  await openEditor(page, planId);
  await feature(page, 'Overages').check();
  const own = section(page, 'Overages');
  const name = 'Overages: Seats';
  await own.getByRole('button', { name: `Set a value for ${name}` }).click();
  await own.getByRole('radio', { name: 'Metered' }).check();
  await own.getByLabel(`Limit of ${name}`).fill('1000');
  await own.getByLabel(`Overage allowed of ${name}`).check();
  const most = own.getByLabel(`Most overage of ${name}`);
  await most.fill('0');
  await expect(own.getByText('Must be greater than or equal to 1')).toBeVisible();
  await most.fill('500');
  await expectAccessible(page, 'the editor with overage');
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  await expect(page.getByText('overage up to 500')).toBeVisible();
  expect((await valuesOf(page, planId))[team.id]).toContainEqual(
    expect.objectContaining({
      value: {
        state: 'metered',
        meter: expect.objectContaining({ limit: 1000, overage: { upTo: 500 } }),
      },
    }),
  );
  await openEditor(page, planId);
  await most.fill('');
  await update(page).click();
  await expect(page.getByText('any overage')).toBeVisible();
  await openEditor(page, planId);
  await own.getByLabel(`Overage allowed of ${name}`).uncheck();
  await expect(most).toBeHidden();
  await update(page).click();
  await expect(page.getByText('1,000 total')).toBeVisible();
  await expect(page.getByText('any overage')).toBeHidden();
});

test('nothing is sent while a value does not fit, and the first one is shown', async ({ page }) => {
  const many = [];
  for (let index = 0; index < 4; index += 1) {
    many.push(await makeFeature(page, `Feature ${index}`, `feature-${index}`, [exports, seats, label]));
  }
  const { planId } = await makePlan(page, 'Professional', 'pro');
  const last = many[3]!;
  await saveValues(page, planId, 1, {
    ...Object.fromEntries(
      many.map((one) => [one.id, [{ id: idOf(one, 'label'), type: 'string', value: 'x' }]]),
    ),
    [last.id]: [{ id: idOf(last, 'exportsADay'), type: 'number', value: 5 }],
  });
  await openEditor(page, planId);
  let puts = 0;
  page.on('request', (request) => {
    if (request.method() === 'PUT') puts += 1;
  });
  const field = page.getByLabel('Feature 3: Exports a day', { exact: true });
  await field.fill('500');
  await page.getByRole('button', { name: /^Feature 3/ }).click();
  await expect(field).toBeHidden();
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await update(page).click();

  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(page.getByText('Some properties have errors. Please fix them before saving.')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Must be less than or equal to 100')).toBeVisible();
  expect(puts).toBe(0);

  await field.fill('');
  await expect(page.getByText('Required')).toBeVisible();
  await field.fill('100');
  await expect(page.getByText('Required')).toBeHidden();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  expect(puts).toBe(1);
});

test('what was removed meanwhile must leave the plan before it is saved', async ({ page }) => {
  const kept = await makeFeature(page, 'Team seats', 'team', [seats, sharing]);
  const doomed = await makeFeature(page, 'Data exports', 'files', [exports]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  await saveValues(page, planId, 1, {
    [kept.id]: [
      { id: idOf(kept, 'seats'), type: 'meterable', value: { state: 'on' } },
      { id: idOf(kept, 'sharing'), type: 'boolean', value: true },
    ],
    [doomed.id]: [{ id: idOf(doomed, 'exportsADay'), type: 'number', value: 5 }],
  });
  await api(page, 'DELETE', `/features/${doomed.id}`);
  await api(page, 'DELETE', `/features/${kept.id}/properties/${idOf(kept, 'sharing')}`);

  await openEditor(page, planId);
  const missing = section(page, `Missing Feature ${doomed.id}`);
  await expect(missing).toContainText('This plan references a feature which has been removed');
  const removed = section(page, 'Team seats');
  await expect(removed).toContainText('This plan references a feature properties which has been removed');
  await removed.getByRole('radio', { name: 'Off' }).check();
  await update(page).click();
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expect(missing.getByRole('button', { name: 'Remove Properties' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(missing).toBeHidden();
  await removed.getByRole('button', { name: 'Remove Properties' }).click();
  await update(page).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  const values = await valuesOf(page, planId);
  expect(Object.keys(values)).toEqual([kept.id]);
  expect(values[kept.id]).toContainEqual({
    id: idOf(kept, 'seats'),
    type: 'meterable',
    value: { state: 'off' },
  });
});

test('an edit is not left without asking, and Cancel saves nothing', async ({ page }) => {
  const team = await makeFeature(page, 'Team seats', 'team', [seats]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  await openEditor(page, planId);
  await feature(page, 'Team seats').check();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Leave without saving?')).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(feature(page, 'Team seats')).toBeChecked();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/feature$/);
  expect(await valuesOf(page, planId)).toEqual({});

  // Deselecting drops a feature's values, and they can be had back before the plan is updated.
  await saveValues(page, planId, 1, {
    [team.id]: [{ id: idOf(team, 'seats'), type: 'meterable', value: { state: 'off' } }],
  });
  await openEditor(page, planId);
  await feature(page, 'Team seats').uncheck();
  await expect(section(page, 'Team seats')).toBeHidden();
  await feature(page, 'Team seats').check();
  await expect(page.getByRole('button', { name: 'Set a value for Team seats: Seats' })).toBeVisible();
  await page.getByRole('button', { name: 'Restore its values' }).click();
  await expect(section(page, 'Team seats').getByRole('radio', { name: 'Off' })).toBeChecked();
  await expect(page.getByText('No changes')).toBeVisible();
  await expect(update(page)).toBeDisabled();
});

test('a change from one’s own other tab is not called somebody else’s', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const files = await makeFeature(page, 'Data exports', 'files', [exports]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  const valued = (value: number): PlanProperties => ({
    [files.id]: [
      { id: idOf(files, 'enabled'), type: 'boolean', value: true },
      { id: idOf(files, 'exportsADay'), type: 'number', value },
    ],
  });
  await saveValues(page, planId, 1, valued(10));
  await openEditor(page, planId);
  await page.getByLabel('Data exports: Exports a day', { exact: true }).fill('20');
  await saveValues(page, planId, 2, valued(30));
  await update(page).click();
  const dialog = page.getByRole('dialog', { name: 'Professional was changed in the meantime' });
  await expect(dialog).toContainText(/You saved this plan .+ in another tab, after you opened it here\./);
  const both = dialog.getByRole('region', { name: 'Changed in both' });
  await expect(both.getByRole('radio', { name: /^Here/ })).toBeVisible();
  await expect(dialog).not.toContainText(/they|theirs|you both/i);
  await dialog.getByRole('button', { name: 'Use all saved values' }).click();
  await expect(both.getByRole('radio', { name: /^Saved/ })).toBeChecked();
});

test('two people edit the same plan: both values of each property are shown, and nothing is lost', async ({
  page,
  browser,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const { page: other } = await newColleague(browser, page, organisation.id, {
    name: 'Otto Other',
    role: 'member',
  });
  const team = await makeFeature(page, 'Team seats', 'team', [seats, sharing]);
  const files = await makeFeature(page, 'Data exports', 'files', [exports, label]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  const first: PlanProperties = {
    [team.id]: [
      { id: idOf(team, 'enabled'), type: 'boolean', value: true },
      { id: idOf(team, 'sharing'), type: 'boolean', value: false },
    ],
    [files.id]: [
      { id: idOf(files, 'enabled'), type: 'boolean', value: true },
      { id: idOf(files, 'exportsADay'), type: 'number', value: 10 },
      { id: idOf(files, 'label'), type: 'string', value: 'first' },
    ],
  };
  await saveValues(page, planId, 1, first);
  await openEditor(page, planId);
  await page.getByLabel('Data exports: Exports a day', { exact: true }).fill('20');
  await page.getByLabel('Team seats: Sharing', { exact: true }).check();

  // The other one: changes the same number, and a text that is not touched here.
  const [enabled] = first[files.id]!;
  await saveValues(other, planId, 2, {
    ...first,
    [files.id]: [
      enabled!,
      { id: idOf(files, 'exportsADay'), type: 'number', value: 30 },
      { id: idOf(files, 'label'), type: 'string', value: 'second' },
    ],
  });
  await update(page).click();
  const dialog = page.getByRole('dialog', { name: 'Professional was changed in the meantime' });
  await expect(dialog).toContainText('Otto Other saved this plan');
  const both = dialog.getByRole('region', { name: 'You both changed' });
  const choice = both.getByRole('radiogroup', { name: 'Data exports: Exports a day' });
  await expect(choice.getByLabel(/Mine/)).not.toBeChecked();
  await expect(choice).toContainText('20');
  await expect(choice).toContainText('30');
  await expect(
    dialog.getByRole('region', { name: 'Only you changed' }).getByRole('radio', { name: /Mine/ }),
  ).toBeChecked();
  await expect(
    dialog.getByRole('region', { name: 'Only they changed' }).getByRole('radio', { name: /Theirs/ }),
  ).toBeChecked();
  await page.setViewportSize({ width: 390, height: 640 });
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect(dialog.getByText('1 conflict left')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Update Plan' })).toBeDisabled();
  await expectAccessible(page, 'the conflict');

  // Back to the editor and to the dialog again: everything entered is still there.
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Data exports: Exports a day', { exact: true })).toHaveValue('20');
  await update(page).click();
  await choice.getByLabel(/Mine/).check();
  await dialog.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();

  const values = await valuesOf(page, planId);
  expect(values[team.id]).toContainEqual({ id: idOf(team, 'sharing'), type: 'boolean', value: true });
  expect(values[files.id]).toContainEqual({ id: idOf(files, 'exportsADay'), type: 'number', value: 20 });
  expect(values[files.id]).toContainEqual({ id: idOf(files, 'label'), type: 'string', value: 'second' });
});

test('what could not be saved stays: the server is away, the bounds have changed, the session has ended', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/ERR_FAILED|40[01]/);
  const files = await makeFeature(page, 'Data exports', 'files', [exports]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  await openEditor(page, planId);
  await feature(page, 'Data exports').check();
  await page.getByRole('button', { name: 'Set a value for Data exports: Exports a day' }).click();
  const field = page.getByLabel('Data exports: Exports a day', { exact: true });
  await expect(field).toBeFocused();
  await field.fill('80');
  await page.route('**/versions/*', (route) => route.abort());
  await page.keyboard.press('Control+s');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('80');
  await page.unroute('**/versions/*');

  await api(page, 'PUT', `/features/${files.id}/properties/${idOf(files, 'exportsADay')}`, {
    bounds: { min: 0, max: 50, allowDecimal: false },
  });
  await update(page).click();
  await expect(page.getByText('Must be less than or equal to 50')).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill('50');
  await page.context().clearCookies();
  await page.keyboard.press('Control+s');
  await signInOnPage(page, organisation.owner.email, PASSWORD);
  await expect(page).toHaveURL(/\/edit-features$/);
  await expect(field).toHaveValue('50');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url());
  });
  // However quickly one asks twice, it is sent once.
  await update(page).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('plans are compared and edited in place: one change per plan, and a conflict is decided once', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const files = await makeFeature(page, 'Data exports', 'files', [exports, label]);
  await makeFeature(page, 'Team seats', 'team', [seats]);
  const starter = await makePlan(page, 'Starter', 'starter');
  const pro = await makePlan(page, 'Professional', 'pro');
  const rows = idOf(files, 'exportsADay');
  const enabled = { id: idOf(files, 'enabled'), type: 'boolean', value: true } as const;
  const limited = (value: number): PlanProperties => ({
    [files.id]: [enabled, { id: rows, type: 'number', value }],
  });
  await saveValues(page, pro.planId, 1, limited(50));

  await page.goto(`/o/${organisation.id}/plans`);
  const listed = page.getByRole('row', { name: /Professional/ });
  await expect(listed).toContainText('Manual grants only');
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  const grid = page.getByRole('grid', { name: 'Comparison of plans' });
  const cell = (plan: string, property: string) =>
    grid.getByRole('button', { name: new RegExp(`^${plan}, Data exports: ${property},`) });
  await expect(cell('Professional', 'Exports a day')).toContainText('50');
  await expect(cell('Starter', 'Exports a day')).toHaveAccessibleName(/1.*, default$/);

  // By keyboard: to the cell, in, a value, out; Esc takes a value back.
  await cell('Starter', 'Enabled').focus();
  await page.keyboard.press('ArrowDown');
  await expect(cell('Starter', 'Exports a day')).toBeFocused();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: 'Starter, Data exports: Exports a day' });
  await expect(editor.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('500');
  await expect(editor.getByText('Must be less than or equal to 100')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(cell('Starter', 'Exports a day')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await editor.getByRole('textbox').fill('5');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('textbox').fill('60');
  await page.keyboard.press('Enter');
  // The value, and the feature that the plan did not have.
  await expect(page.getByText('3 changes in 2 plans')).toBeVisible();
  await expectAccessible(page, 'the comparison');

  await saveValues(page, pro.planId, 2, limited(70));
  await page.getByRole('button', { name: 'Save changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Professional was changed in the meantime' });
  const choice = dialog.getByRole('radiogroup', { name: 'Data exports: Exports a day' });
  await expect(choice).toContainText('60');
  await expect(choice).toContainText('70');
  expect(await valuesOf(page, starter.planId)).toEqual({
    [files.id]: expect.arrayContaining([enabled, { id: rows, type: 'number', value: 5 }]),
  });
  await choice.getByLabel(/Here/).check();
  await dialog.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await expect
    .poll(() => valuesOf(page, pro.planId))
    .toEqual({
      [files.id]: expect.arrayContaining([enabled, { id: rows, type: 'number', value: 60 }]),
    });
  expect(await api<Plan>(page, 'GET', `/plans/${pro.planId}`)).toMatchObject({ currentVersion: 4 });

  await page.getByLabel('Only differences').check();
  await expect(grid.getByRole('rowheader', { name: /Team seats/ })).toHaveCount(0);
});

test('by keyboard alone: find a feature, choose it, configure it, save it', async ({ page }) => {
  await makeFeature(page, 'Team seats', 'team', [seats]);
  const files = await makeFeature(page, 'Data exports', 'files', [exports, sharing]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  await openEditor(page, planId);
  await page.getByPlaceholder('Search by feature name and property name').focus();
  await page.keyboard.type('exports a day');
  await expect(feature(page, 'Team seats')).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await expect(feature(page, 'Data exports')).toBeFocused();
  await page.keyboard.press('Space');
  // To the property that was found.
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('button', { name: 'Set a value for Data exports: Exports a day' }),
  ).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Data exports: Exports a day', { exact: true })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Feature Properties Updated')).toBeVisible();
  expect((await valuesOf(page, planId))[files.id]).toContainEqual({
    id: idOf(files, 'exportsADay'),
    type: 'number',
    value: 2,
  });
});
