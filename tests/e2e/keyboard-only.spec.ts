// From sign-up to a deployed version with the keyboard alone: nothing is clicked, and every control is reached by Tab.
import type { Locator, Page } from '@playwright/test';
import { linkFromMail, newPerson, PASSWORD } from './support/people.ts';
import { expect, test } from './support/test.ts';

const MAX_TABS = 80;

/** Presses Tab until the control has the focus. */
async function reach(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeEnabled();
  const isReached = () => control.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; !(await isReached()); tabs++) {
    expect(tabs, `${control} is reached by Tab`).toBeLessThan(MAX_TABS);
    await page.keyboard.press('Tab');
  }
}

async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await reach(page, control);
  await page.keyboard.press(key);
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await reach(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function signUp(page: Page): Promise<void> {
  const person = newPerson('Kay Board');
  await page.goto('/signup');
  await type(page, 'Email', person.email);
  await type(page, 'Password', PASSWORD);
  await type(page, 'Name', person.name);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/email-verification');
  await page.goto(await linkFromMail(page.request, person.email, /verify/i));
  await press(page, page.getByRole('main').getByRole('link', { name: 'Create organisation' }));
  await type(page, 'Organisation name', 'Keyboard Works');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/quickstart');
}

/** The dashboard's steps to the first version, in their dialogs. */
async function shipFirstVersion(page: Page): Promise<void> {
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  const steps = page.getByRole('list', { name: 'Ship your first version' });
  const current = (title: string) => expect(steps.locator('[aria-current="step"]')).toContainText(title);
  for (const [what, name] of [
    ['feature', 'Data exports'],
    ['plan', 'Starter'],
  ] as const) {
    await current(`Create a ${what}`);
    await press(page, button(page, `Create a ${what}`));
    await expect(page.getByRole('dialog')).toBeVisible();
    await type(page, 'Name', name);
    await press(page, button(page, `Create ${what}`));
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    // Tab passes through the notice of a new feature, which is still shown.
    if (what === 'feature') await page.getByText('Feature created').waitFor();
    await press(page, sidebar.getByRole('link', { name: 'Dashboard', exact: true }));
  }
  await current('Create a version');
  await press(page, button(page, 'Create New Version'));
  await current('Deploy it');
  await press(page, button(page, 'Deploy'));
  await press(page, button(page, 'Deploy version 1 to Production'));
  await current('Create an API key');
}

test('from sign-up to a deployed version', async ({ page }) => {
  await signUp(page);
  await press(page, button(page, 'Skip & Go to Dashboard'));
  await expect(page).toHaveURL('/');
  await shipFirstVersion(page);
  const deployed = page.getByRole('link', { name: /Production.*v1|Production.*version 1/i }).first();
  await expect(deployed).toBeVisible();
});
