// `test` of the browser tests: as Playwright's, but a test fails when its pages throw, or write an error to the console
// that the test did not expect.
import { test as base, expect } from '@playwright/test';

export { expect };

/** The calls of the frame and of its page start with the session: without one, or in another organisation, they are refused. */
const EARLY_CALL =
  /status of 40[14] .*\/api\/(user\/(orgs|invitations)|orgs\/[^/]+\/(summary|deployments|environments|artifacts(\/last-diff)?|usage\/periods\/day|features|plans|workflows|team-summary|billing|integrations\/(stripe|jwt)|event-(search|metrics)))(\?[^)]*)?\)$/;

/** Playwright's own: `page.clock` in a document that does not have the clock yet, such as about:blank. */
const CLOCK_TOO_EARLY =
  /^TypeError: Cannot read properties of undefined \(reading 'controller'\)\n\s+at <anonymous>:2:28\n/;

interface Fixtures {
  /** Errors on the browser's console that match are part of this test: a refused call logs its status there. */
  expectBrowserError: (pattern: RegExp) => void;
}

export const test = base.extend<Fixtures>({
  expectBrowserError: [
    async ({ context }, use) => {
      const expected: RegExp[] = [];
      const seen: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error')
          seen.push(`${message.text().slice(0, 500)} (${message.location().url})`);
      });
      context.on('weberror', (webError) => seen.push(webError.error().stack ?? String(webError.error())));
      await use((pattern) => expected.push(pattern));
      // Pages poll, also while a test ends: a handler that is still reading an answer would fail the test.
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      const isExpected = (line: string) =>
        [...expected, EARLY_CALL, CLOCK_TOO_EARLY].some((pattern) => pattern.test(line));
      const unexpected = seen.filter((line) => !isExpected(line));
      expect(unexpected, 'errors on the console of the browser').toEqual([]);
    },
    { auto: true },
  ],
});
