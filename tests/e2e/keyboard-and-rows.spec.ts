// Rows open as links do, the focus is never lost, pages are announced, keys work under every layout, and ages go on.
import type { Page } from '@playwright/test';
import type { Feature } from '#contracts/console/features';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Kira Keys', 'Key Works');
const { api } = organisation;

const NAMES = ['Audit log', 'Exports', 'Seats', 'Teams'];
const features = () => `/o/${organisation.id}/features`;
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

test.beforeEach(async ({ page }) => {
  for (const name of NAMES) {
    const slug = name.toLowerCase().replace(' ', '-');
    await api<Feature>(page, 'POST', '/features', { name, slug, description: `What ${name} allows` });
  }
  await page.goto(features());
  await expect(row(page, 'Teams')).toBeVisible();
});

test('a row opens as its link does: in a new tab with a modifier or the middle button, and not after a selection', async ({
  page,
}) => {
  const cell = row(page, 'Exports').getByRole('cell').last();
  const ways: Parameters<typeof cell.click>[0][] = [{ modifiers: ['ControlOrMeta'] }, { button: 'middle' }];
  for (const how of ways) {
    const opened = page.context().waitForEvent('page');
    await cell.click({ ...how, position: { x: 2, y: 12 } });
    const tab = await opened;
    await expect.poll(() => tab.url()).toMatch(/\/features\/feat_/); // A tab in the background may take long to load.
    await tab.close();
    await expect(page).toHaveURL(new RegExp(`${features()}$`));
  }
  const detail = (await row(page, 'Exports').getByText('What Exports allows').boundingBox())!;
  await page.mouse.move(detail.x + 2, detail.y + detail.height / 2);
  await page.mouse.down();
  await page.mouse.move(detail.x + 60, detail.y + detail.height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
  await expect(page).toHaveURL(new RegExp(`${features()}$`));
  await cell.click({ position: { x: 2, y: 12 } });
  await expect(page.getByRole('heading', { level: 1, name: 'Exports' })).toBeVisible();
});

test('the focus goes to the opener of a menu, to the next row after a deletion, and to the content of the next page', async ({
  page,
}) => {
  const actions = page.getByRole('button', { name: 'Actions for Exports' });
  await actions.click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(actions).toBeFocused();

  await actions.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(actions).toBeFocused();

  await actions.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, 'Exports')).toHaveCount(0);
  await expect(row(page, 'Seats').locator(':focus')).toHaveCount(1);

  await row(page, 'Seats').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Seats' })).toBeVisible();
  await expect(page.locator('#content')).toBeFocused();
  const reader = await page.context().newCDPSession(page);
  await expect
    .poll(async () => {
      const { nodes } = await reader.send('Accessibility.getFullAXTree');
      const isPolite = ({ properties }: (typeof nodes)[number]) =>
        properties?.some(({ name, value }) => name === 'live' && value.value === 'polite');
      const regions = new Set(nodes.filter(isPolite).map(({ nodeId }) => nodeId));
      const texts = nodes.filter(({ parentId }) => parentId !== undefined && regions.has(parentId));
      return texts.map(({ name }) => name?.value as string);
    })
    .toContain('Seats');
});

test('a page that fits into the window does not scroll', async ({ page }) => {
  for (const [path, heading] of [
    [features(), 'Features'],
    ['/awaiting-admission', "You're on the list!"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    await expect.poll(beyond, path).toBe(0);
  }
});

test('shortcuts work under a Cyrillic layout, and the keys of an input method close nothing', async ({
  page,
}) => {
  const press = (init: { key: string; code: string; ctrlKey?: boolean; isComposing?: boolean }) =>
    page.evaluate((fields) => {
      const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...fields });
      document.activeElement?.dispatchEvent(event);
    }, init);
  await press({ key: 'л', code: 'KeyK', ctrlKey: true });
  const field = page.getByLabel('Search pages and commands');
  await expect(field).toBeFocused();
  await field.fill('Exports');
  await expect(page.getByRole('dialog', { name: 'Search and commands' })).toContainText('Exports');
  await press({ key: 'Enter', code: 'Enter', isComposing: true });
  await press({ key: 'Escape', code: 'Escape', isComposing: true });
  await expect(field).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`${features()}$`));
  await press({ key: 'Escape', code: 'Escape' });
  await expect(field).toBeHidden();
});

test('ages go on while they are shown, and a browser’s clock that is hours off changes none', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(features());
  await expect(row(page, 'Seats')).toContainText('just now');
  // Any answer of the server, whose five minutes have not passed, would set the clock right.
  await page.route('**/api/**', () => undefined);
  await page.clock.fastForward('05:30');
  await expect(row(page, 'Seats')).toContainText('5 minutes ago');
  await page.unroute('**/api/**');

  await page.clock.setSystemTime(Date.now() + 3 * 3_600_000);
  await page.goto(features());
  await expect(row(page, 'Seats')).toContainText('just now');
});
