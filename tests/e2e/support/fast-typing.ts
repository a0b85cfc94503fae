// Keys as they arrive from somebody who types on a slow computer: the next one does not wait until the page has dealt with the one before,
// as Playwright's `page.keyboard.type` does.
import type { Page } from '@playwright/test';

/** How many times slower than this machine the page's processor is. */
const SLOWDOWN = 6;

/** Does `work` in a page whose processor is slow. */
export async function onSlowProcessor(page: Page, work: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  try {
    await work();
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await session.detach();
  }
}

/** Types into what has the focus, with `pauseMs` between two keys. Resolves once the page has dealt with all of them. */
export async function typeFast(page: Page, text: string, pauseMs: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const sent: Promise<unknown>[] = [];
  for (const key of text) {
    if (pauseMs > 0) await new Promise((resume) => setTimeout(resume, pauseMs));
    sent.push(
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, key }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
    );
  }
  await Promise.all(sent);
  await session.detach();
}
