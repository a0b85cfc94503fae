// Two people edit the same thing: what the form of the slower one goes on with.
import { expect, test } from 'vitest';
import { changedFields, isSame, mergeEdits } from '../../web/api/merge-edits.ts';

const base = { name: 'Exports', slug: 'exports', description: '' };

test('what only the other one changed is taken over, and what was entered is kept', () => {
  const mine = { ...base, name: 'Exporting' };
  const theirs = { ...base, description: 'As files' };
  expect(mergeEdits(base, mine, theirs)).toEqual({
    values: { name: 'Exporting', slug: 'exports', description: 'As files' },
    conflicts: [],
    taken: ['description'],
  });
});

test('where both changed the same field, what was entered stays and the field is named', () => {
  const merged = mergeEdits(base, { ...base, name: 'Mine' }, { ...base, name: 'Theirs' });
  expect(merged).toEqual({ values: { ...base, name: 'Mine' }, conflicts: ['name'], taken: [] });
});

test('where both changed a field to the same, there is nothing to tell', () => {
  const same = { ...base, name: 'Same' };
  expect(mergeEdits(base, same, same)).toEqual({ values: same, conflicts: [], taken: [] });
});

test('only the fields that differ are changed, whatever the order of what is in them', () => {
  const meter = { state: 'metered', meter: { limit: 1, periodType: 'lifetime' } };
  const turned = { meter: { periodType: 'lifetime', limit: 1, periodCount: undefined }, state: 'metered' };
  expect(isSame(meter, turned)).toBe(true);
  expect(changedFields({ a: meter, b: 1 }, { a: turned, b: 2 })).toEqual({ b: 2 });
  expect(isSame(['a'], { 0: 'a' })).toBe(false);
  expect(isSame(null, {})).toBe(false);
});
