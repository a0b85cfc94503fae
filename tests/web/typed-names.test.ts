// Names that people type to confirm a deletion.
import { expect, test } from 'vitest';
import { isTypedName } from '../../web/ui/dialogs/is-typed-name.ts';

test.each([
  ['two spaces', 'Acme Analytics', 'Acme  Analytics'],
  ['a space that does not break', 'Acme Analytics', 'Acme\u00a0Analytics'],
  ['a zero-width space', 'Acme', 'Ac\u200bme'],
  ['decomposed letters', 'José', 'Jose\u0301'],
  ['outer white space', ' Acme ', 'Acme'],
])('a name with %s is typed as it is shown', (_, typed, name) => {
  expect(isTypedName(typed, name)).toBe(true);
});

test.each([['acme'], ['Acm'], [''], ['AcmeAnalytics']])('%j is not the name', (typed) => {
  expect(isTypedName(typed, 'Acme Analytics')).toBe(false);
});
