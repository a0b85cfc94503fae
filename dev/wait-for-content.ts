// Before a screenshot: the page has its data.
import type { Page } from '@playwright/test';

const PATIENCE_MS = 15_000;

/** Waits until no call is open and no skeleton or loader is shown. Reports the screen if one stays, and goes on. */
export async function waitForContent(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const isLoaded = () =>
    ![...document.querySelectorAll('.mantine-Skeleton-root[data-visible], .mantine-Loader-root')].some(
      (element) => element.checkVisibility(),
    );
  try {
    await page.waitForFunction(isLoaded, undefined, { timeout: PATIENCE_MS });
  } catch {
    console.warn(`${name}: still loading after ${PATIENCE_MS / 1000} s`);
  }
}
