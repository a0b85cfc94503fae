// Which screenshots there are, and what the words of `npm run screenshots` choose.
import { expect, test } from 'vitest';
import { KINDS } from '#lab/screenshots/shot';
import { chooseShots, shots } from '#lab/screenshots/shots';

const namesOf = (words: readonly string[]) => chooseShots(words).map(({ name }) => name);

test('no two screenshots, sheets or kinds share a name', () => {
  const sheets = new Set(shots.flatMap(({ sheet = [] }) => sheet));
  const words = [...KINDS, ...sheets, ...shots.map(({ name }) => name)];
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test('names choose screenshots of any kind, and a kind narrows them', () => {
  expect(namesOf(['correct-meter', 'plans'])).toEqual(['plans', 'correct-meter']);
  expect(namesOf(['dialogs', 'correct-meter'])).toEqual(['correct-meter']);
  expect(() => chooseShots(['pages', 'correct-meter'])).toThrow('There is no correct-meter.');
});

test('the name of a sheet chooses all its states', () => {
  const states = ['empty', 'loading', 'error', 'full', 'member'];
  expect(namesOf(['plans-states'])).toEqual(states.map((state) => `plans-${state}`));
});

test('a kind chooses all of its own, and no word all pages', () => {
  expect(chooseShots(['dialogs']).every(({ kind }) => kind === 'dialogs')).toBe(true);
  expect(namesOf([])).toEqual(namesOf(['pages']));
});

test('a mistyped name is refused with what was meant', () => {
  expect(() => chooseShots(['corect-meter'])).toThrow(
    'There is no corect-meter. Did you mean correct-meter?',
  );
});
