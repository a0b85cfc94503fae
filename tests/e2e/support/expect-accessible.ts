// The page has no serious or critical violation of WCAG in either theme.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { settlePage } from './settle-page.ts';

/** The part of axe-core's API and of its results that is used here. */
interface Axe {
  run(root: Document, options: object): Promise<{ violations: Violation[] }>;
}
interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly target: readonly (string | readonly string[])[] }[];
}
type AxeWindow = Window & { axe?: Axe };

// The wrapper's own builder loads axe into the page again for each run, which costs more than the run.
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Runs all rules in the theme that is shown, then the rule on colours in the other theme: no other rule depends on it.
 * Leaves the page in the theme that it had. `name` identifies the screen in a failure.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [shown, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  expect(await graveViolations(page, {}), `${name}, ${shown}`).toEqual([]);
  await page.emulateMedia({ colorScheme: other });
  expect(await graveViolations(page, { runOnly: ['color-contrast'] }), `${name}, ${other}`).toEqual([]);
  await page.emulateMedia({ colorScheme: shown });
}

async function graveViolations(page: Page, options: object): Promise<string[]> {
  await settlePage(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async (given) =>
      (await (window as AxeWindow).axe!.run(document, { resultTypes: ['violations'], ...given })).violations,
    options,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
