// The page has no serious or critical violation of WCAG in either theme.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settlePage } from './settle-page.ts';

/**
 * Runs all rules in the theme that is shown, then the rule on colours in the other theme: no other rule depends on it.
 * Leaves the page in the theme that it had. `name` identifies the screen in a failure.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const isDark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const shown = (await isDark()) ? 'dark' : 'light';
  const other = shown === 'dark' ? 'light' : 'dark';
  expect(await graveViolations(page, axe(page)), `${name}, ${shown}`).toEqual([]);
  await page.emulateMedia({ colorScheme: other });
  expect(await graveViolations(page, axe(page).withRules('color-contrast')), `${name}, ${other}`).toEqual([]);
  await page.emulateMedia({ colorScheme: shown });
}

/** Legacy mode saves a second page per run; it only matters for frames of other origins, and the console has none. */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

async function graveViolations(page: Page, builder: AxeBuilder): Promise<string[]> {
  await settlePage(page);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
