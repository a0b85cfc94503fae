// Screenshots of states that the demo organisation does not have: responses are replaced in the browser.
import type { Page } from '@playwright/test';
import type { ScreenshotRoute } from './page-shots.ts';

export type Act = NonNullable<ScreenshotRoute['act']>;

/** Loads the page with another response to reads of this address. */
export const readAs =
  (matches: (url: URL) => boolean, change: (body: never, page: Page) => unknown): Act =>
  async (page) => {
    await page.route(matches, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      return route.fulfill({ response, json: await change((await response.json()) as never, page) });
    });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
