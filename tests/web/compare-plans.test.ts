// The comparison of plans: which rows differ, what is usual, and what an edit of a cell sends.

import { describe, expect, test } from 'vitest';
import { compareRows, onlyDifferent, valueAt } from '../../web/domains/plans/compare/compare-rows.ts';
import {
  compareReducer,
  draftOf,
  NO_EDITS,
  savedDraft,
  stepsToEnter,
  stepsToReset,
} from '../../web/domains/plans/compare/compare-state.ts';
import { nextCell } from '../../web/domains/plans/compare/use-cell-focus.ts';
import { writeDraft } from '../../web/domains/plans/editor/plan-draft.ts';
import { nextIndex } from '../../web/ui/lists/use-row-focus.ts';
import { fittingNumber } from '../../web/values/fit-number.ts';
import { feature, planVersion, property } from './workspace-fixture.ts';

const seats = property('seats', 'number', 1);
const team = feature('team', [seats]);
const files = feature('files', [property('label', 'string', '')]);
const rows = compareRows([team, files], '');
const [, seatsRow] = rows;
if (seatsRow === undefined) throw new Error('No row');
const withSeats = (planId: string, value: number) =>
  planVersion({ team: [{ id: 'seats', type: 'number', value }] }, 1, planId);

describe('the rows', () => {
  test('begin with each feature, and a search keeps the feature of a matching property', () => {
    expect(rows.map(({ key, isFeature }) => [key, isFeature])).toEqual([
      ['team team_enabled', true],
      ['team seats', false],
      ['files files_enabled', true],
      ['files label', false],
    ]);
    expect(compareRows([team, files], 'label').map(({ key }) => key)).toEqual([
      'files files_enabled',
      'files label',
    ]);
  });

  test('say what each one costs, by the path of the meter that pays', () => {
    const costs = { propertyId: 'credits', per: 0.25 };
    const chat = feature('chat', [property('tokens', 'meterable', { state: 'on' }, { costs })]);
    const ai = feature('ai', [property('credits', 'meterable', { state: 'on' })]);
    expect(compareRows([chat, ai], '').map((row) => row.costs)).toEqual([
      ...[null, { per: 0.25, of: 'ai.credits' }],
      ...[null, null],
    ]);
    expect(compareRows([chat], '')[1]?.costs).toBeNull();
  });

  test('differ by value, not by whether it is a default', () => {
    const drafts = [withSeats('one', 1), planVersion({}, 1, 'two')].map(savedDraft);
    expect(onlyDifferent(rows, drafts)).toEqual([]);
    const others = [...drafts, savedDraft(withSeats('three', 2))];
    expect(onlyDifferent(rows, others).map(({ key }) => key)).toEqual(['team team_enabled', 'team seats']);
  });
});

describe('an edit', () => {
  const before = planVersion({}, 1, 'plan');
  const enter = (value: number | null) =>
    ({ type: 'edit', version: before, steps: stepsToEnter(team, seats, value) }) as const;

  test('of a feature that the plan lacks switches it on, and the way back leaves no change', () => {
    const edits = compareReducer(NO_EDITS, enter(9));
    expect(valueAt(draftOf(edits, before), seatsRow).value).toBe(9);
    expect(writeDraft(draftOf(edits, before), [])).toEqual({
      team: [
        { id: 'team_enabled', type: 'boolean', value: true },
        { id: 'seats', type: 'number', value: 9 },
      ],
    });
    const steps = stepsToReset(team, seats, edits.get('plan'));
    expect(compareReducer(edits, { type: 'edit', version: before, steps }).size).toBe(0);
    expect(compareReducer(edits, { type: 'restore', planId: 'plan', state: undefined }).size).toBe(0);
  });

  test('keeps each plan apart, and a saved or discarded plan has none', () => {
    const other = withSeats('other', 3);
    const edit = (value: number) =>
      ({ type: 'edit', version: other, steps: stepsToEnter(team, seats, value) }) as const;
    const both = compareReducer(compareReducer(NO_EDITS, enter(9)), edit(4));
    expect([...both.keys()]).toEqual(['plan', 'other']);
    expect([
      ...compareReducer(both, { type: 'saved', saved: before, draft: draftOf(both, before) }).keys(),
    ]).toEqual(['other']);
    expect(compareReducer(both, { type: 'discard' }).size).toBe(0);
    expect(compareReducer(both, edit(3)).has('other')).toBe(false);
  });
});

test('what was edited while the plan was saved is kept, as a change of the saved version', () => {
  const before = planVersion({}, 1, 'plan');
  const enter = (value: number) =>
    ({ type: 'edit', version: before, steps: stepsToEnter(team, seats, value) }) as const;
  const sent = compareReducer(NO_EDITS, enter(9));
  const draft = draftOf(sent, before);
  const saved = { ...withSeats('plan', 9), version: 2, currentVersion: 2 };
  const during = compareReducer(sent, enter(10));
  const after = compareReducer(during, { type: 'saved', saved, draft });
  expect(valueAt(draftOf(after, saved), seatsRow).value).toBe(10);
  expect(after.get('plan')?.version).toBe(2);
  const full = { ...saved, properties: writeDraft(draft, []) };
  const back = compareReducer(during, enter(9));
  expect(compareReducer(back, { type: 'saved', saved: full, draft }).size).toBe(0);
});

test('arrow keys stay inside the grid, and Home and End go to its edges', () => {
  const size = { rows: 3, columns: 4 };
  const press = (key: string, row: number, column: number, ctrlKey = false) =>
    nextCell({ key, ctrlKey, metaKey: false }, { row, column }, size);
  expect(press('ArrowUp', 0, 1)).toEqual({ row: 0, column: 1 });
  expect(press('ArrowDown', 2, 1)).toEqual({ row: 2, column: 1 });
  expect(press('ArrowRight', 1, 1)).toEqual({ row: 1, column: 2 });
  expect(press('PageDown', 0, 1)).toEqual({ row: 2, column: 1 });
  expect(press('End', 0, 1)).toEqual({ row: 0, column: 3 });
  expect(press('End', 0, 1, true)).toEqual({ row: 2, column: 3 });
  expect(press('Home', 2, 3, true)).toEqual({ row: 0, column: 0 });
  expect(press('a', 0, 0)).toBeNull();
});

test('in a table of links arrow keys and j and k step, Home and End jump', () => {
  expect(['ArrowDown', 'j', 'End'].map((key) => nextIndex(key, 1, 5))).toEqual([2, 2, 5]);
  expect(['ArrowUp', 'k', 'Home'].map((key) => nextIndex(key, 1, 5))).toEqual([0, 0, 0]);
  expect([nextIndex('ArrowUp', 0, 5), nextIndex('ArrowDown', 5, 5), nextIndex('x', 1, 5)]).toEqual([
    ...[null, null, null],
  ]);
});

test('a number outside its bounds has a proposal: the nearest one that fits', () => {
  const whole = { allowDecimal: false };
  expect(fittingNumber(0, { min: 5, ...whole })).toBe(5);
  expect(fittingNumber(200, { max: 100, ...whole })).toBe(100);
  expect(fittingNumber(1.5, whole)).toBe(2);
  expect(fittingNumber(7, { min: 5, max: 9, ...whole })).toBeNull();
  expect(fittingNumber(7, { min: 9, max: 5, ...whole })).toBeNull();
  expect(fittingNumber(0, null)).toBeNull();
});
