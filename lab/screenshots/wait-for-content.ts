// Before a screenshot: the page has its data.
import type { Page } from '@playwright/test';

const PATIENCE_MS = 15_000;

/**
 * Waits until no call is open, the page has its heading, no skeleton or loader is shown, and code has its colours. On a busy computer these
 * come later than the last call that was open before. Reports the screen if it stays incomplete, and goes on.
 */
export async function waitForContent(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const isLoaded = () =>
    document.querySelector('h1') !== null &&
    ![
      ...document.querySelectorAll(
        '.mantine-Skeleton-root[data-visible], .mantine-Loader-root, fieldset[aria-busy]',
      ),
    ].some((element) => element.checkVisibility()) &&
    [...document.querySelectorAll('.monaco-editor[data-uri$="workflow.ts"]')].every(
      (editor) =>
        editor.querySelector('.view-lines')?.textContent?.trim() === '' ||
        editor.querySelector('.view-line [class*="mtk"]:not(.mtk1)') !== null,
    );
  try {
    await page.waitForFunction(isLoaded, undefined, { timeout: PATIENCE_MS });
  } catch {
    console.warn(`${name}: still loading after ${PATIENCE_MS / 1000} s`);
  }
}
