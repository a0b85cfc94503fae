// Waits for a page to reach its final look, and lets the time that a page waits for pass at once.
import { expect, type Locator, type Page } from '@playwright/test';

/** Waits until every transition and finite animation has ended, also those that the next frame starts. */
export async function settlePage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const hasEnd = (animation: Animation) =>
      animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    const running = document.getAnimations().filter(hasEnd);
    await Promise.all(running.map((animation) => animation.finished.catch(() => undefined)));
  });
}

/**
 * Waits until `locator` is visible while the page's clock runs fast: a failed call is repeated after pauses of several
 * seconds before the page reports it. Requires `page.clock.install()` before the page is opened.
 */
export async function expectAfterRetries(page: Page, locator: Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1_000);
        return locator.isVisible();
      },
      { intervals: [50] },
    )
    .toBe(true);
}
