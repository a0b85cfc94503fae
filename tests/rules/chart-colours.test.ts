// The colours of outcomes: the worse one is the stronger one, in both themes.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('../../web/theme/tokens.css', import.meta.url), 'utf8');

/** WCAG's relative luminance of a colour of the theme. */
function luminance(theme: 'light' | 'dark', name: string): number {
  const block = css.split(`:root.${theme} {`)[1] ?? '';
  const hex = new RegExp(`--${name}: #(..)(..)(..);`).exec(block);
  const [red = 0, green = 0, blue = 0] = (hex ?? []).slice(1).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

test.each(['light', 'dark'] as const)('an error is not paler than a denial: %s', (theme) => {
  const [error, denied, surface] = ['chart-error', 'chart-denied', 'surface'].map((name) =>
    luminance(theme, name),
  ) as [number, number, number];
  expect(error).toBeLessThan(denied);
  expect(contrast(error, denied)).toBeGreaterThan(1.5);
  expect(contrast(error, surface)).toBeGreaterThan(3);
});
