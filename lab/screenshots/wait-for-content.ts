// Before a screenshot: the page has its data.
import type { Page } from '@playwright/test';

const PATIENCE_MS = 15_000;

/**
 * Waits until no call is open, the page has its heading, and no skeleton or loader is shown. On a busy computer the heading
 * comes later than the last call that was open before it. Reports the screen if it stays incomplete, and goes on.
 */
export async function waitForContent(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const isLoaded = () =>
    document.querySelector('h1') !== null &&
    ![
      ...document.querySelectorAll(
        '.mantine-Skeleton-root[data-visible], .mantine-Loader-root, fieldset[aria-busy]',
      ),
    ].some((element) => element.checkVisibility());
  try {
    await page.waitForFunction(isLoaded, undefined, { timeout: PATIENCE_MS });
  } catch {
    console.warn(`${name}: still loading after ${PATIENCE_MS / 1000} s`);
  }
}
