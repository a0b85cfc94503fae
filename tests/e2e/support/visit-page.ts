// Opens another page of the console that is open, as a link does. Loading the console again with `page.goto` costs more than most
// steps; a page that must read what the API has changed meanwhile needs it nevertheless.
import type { Page } from '@playwright/test';

/** `path` has a route in the console. What the console has read less than five seconds ago is shown as it was. */
export async function visitPage(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { idx } = (history.state ?? {}) as { idx?: number };
    history.pushState({ usr: null, key: crypto.randomUUID(), idx: (idx ?? 0) + 1 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, path);
}
