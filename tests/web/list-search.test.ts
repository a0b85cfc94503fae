// When a list has a search field.
import { expect, test } from 'vitest';
import { hasSearchField } from '../../web/ui/has-search-field.ts';

test('a list of more than ten rows has a search field', () => {
  expect(hasSearchField(10, '')).toBe(false);
  expect(hasSearchField(11, '')).toBe(true);
});

test('a search that filters a list stays on screen, however short the list becomes', () => {
  expect(hasSearchField(10, 'pro')).toBe(true);
  expect(hasSearchField(1, ' ')).toBe(true);
});
