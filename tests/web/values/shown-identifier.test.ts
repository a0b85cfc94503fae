// Identifiers that show nothing, or end in something unseen, have a name in lists.
import { expect, test } from 'vitest';
import { shownIdentifier } from '#web/values/shown-identifier.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['👩\u200d🚀', '👩\u200d🚀'],
  ['ada@example.com ', 'ada@example.com[U+0020]'],
  ['\ufeffada', '[U+FEFF]ada'],
  ['\u200b', '[U+200B]'],
  [' \u200e', '[U+0020][U+200E]'],
])('%j is shown as %s', (identifier, shown) => {
  expect(shownIdentifier(identifier)).toBe(shown);
});
