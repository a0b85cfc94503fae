// Nothing on the page is wider than the window. Asked until it holds: a layout follows a change of the window's size a
// moment later.
import { expect, type Page } from '@playwright/test';

/** `name` says in a failure what was shown. */
export async function expectFitting(page: Page, name = 'the page'): Promise<void> {
  const overhang = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overhang, `${name} is no wider than the window`).toBe(0);
}
