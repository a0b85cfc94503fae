// When a list has a search field.
import { expect, test } from 'vitest';
import { hasSearchField } from '../../web/ui/lists/has-search-field.ts';
import { matchesSearch } from '../../web/ui/lists/matches-search.ts';
import { cutNote } from '../../web/ui/lists/search-field.tsx';
import { searchedText } from '../../web/ui/page/use-address-search.ts';

test('a list of more than ten rows has a search field', () => {
  expect(hasSearchField(10, '')).toBe(false);
  expect(hasSearchField(11, '')).toBe(true);
});

test('a search that filters a list stays on screen, however short the list becomes', () => {
  expect(hasSearchField(10, 'pro')).toBe(true);
  expect(hasSearchField(1, ' ')).toBe(true);
});

test('a text that is longer than what is searched stays in the field, which says so', () => {
  expect(searchedText(` ${'x'.repeat(45)}`, 30)).toBe('x'.repeat(30));
  expect(cutNote('x'.repeat(31), 30)).toBe('Only the first 30 characters are searched.');
  expect(cutNote(` ${'x'.repeat(30)} `, 30)).toBeUndefined();
});

test.each([
  ['Bruce Lee', 'lee'],
  ['Ng', 'ng'],
  ['山田太郎', '太郎'],
  ['Søren Østergård', 'ø'],
  ['Søren Østergård', 'soren ostergard'],
  ['Łukasz', 'ł'],
  ['Łukasz', 'lukasz'],
  ['Weiß', 'ß'],
  ['Weiß', 'WEISS'],
  ['STRASSE', 'straße'],
  ['O’Brien', "O'Brien"],
  ["O'Brien", 'o’brien'],
  ['Globex (Acme)', '(Acme)'],
  ['José', 'jose'],
  ['김철수', '철수'],
  ['ＡＣＭＥ', 'acme'],
  ['100% "quoted" *star*', '"quoted" *'],
])('a list finds %s by %s', (name, search) => {
  expect(matchesSearch(name, search)).toBe(true);
});

test('a list does not find what the text is not in', () => {
  expect(matchesSearch('Bruce Lee', 'leo')).toBe(false);
  expect(matchesSearch('Ng', '(ng')).toBe(false);
});
