// The plan's feature editor without its page: every edit, the request that is sent, what prevents sending
// it, and how two people's edits come together.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlanProperties } from '#contracts/console/plans';
import { canonicalJson } from '#engine/artifacts/canonical-json';
import { HOSTILE_NAMES, propertyType, valueOfType } from '#engine/tests/arbitraries';
import {
  findProblems,
  missingFeatures,
  refusalsOf,
  removedProperties,
  rowKey,
} from '../../web/domains/plans/editor/check-draft.ts';
import {
  changesOf,
  type EditorAction,
  type EditorState,
  editPlan,
  packEdit,
  startEditing,
  unpackEdit,
} from '../../web/domains/plans/editor/editor-state.ts';
import { joinIds, splitIds } from '../../web/domains/plans/editor/joined-ids.ts';
import {
  mergeDrafts,
  mergeRows,
  type Side,
  suggestedChoices,
} from '../../web/domains/plans/editor/merge-drafts.ts';
import { differencesOf, readDraft, writeDraft } from '../../web/domains/plans/editor/plan-draft.ts';
import { searchFeatures } from '../../web/domains/plans/editor/search-features.ts';
import { feature, planVersion, property } from './workspace-fixture.ts';

const FEATURES = ['feat_a', 'feat_b', 'feat_c', '__proto__'];
const PROPERTIES = ['prop_1', 'prop_2', 'prop_3', 'constructor'];

const featureId = fc.constantFrom(...FEATURES);
const propertyId = fc.constantFrom(...PROPERTIES);

const planValue = fc
  .tuple(propertyId, propertyType)
  .chain(([id, type]) => valueOfType(type).map((value) => ({ id, type, value })));

/** As the server answers them: no feature without values. */
const properties: fc.Arbitrary<PlanProperties> = fc
  .uniqueArray(
    fc.tuple(featureId, fc.uniqueArray(planValue, { minLength: 1, maxLength: 4, selector: ({ id }) => id })),
    { maxLength: 4, selector: ([id]) => id },
  )
  .map((entries) => Object.fromEntries(entries));

const action: fc.Arbitrary<EditorAction> = fc.oneof(
  fc.record({
    type: fc.constant('select-feature' as const),
    featureId,
    systemPropertyId: fc.option(propertyId, { nil: undefined }),
  }),
  fc.record({ type: fc.constant('deselect-feature' as const), featureId }),
  fc.record({ type: fc.constant('restore-feature' as const), featureId }),
  fc.record({
    type: fc.constant('configure-property' as const),
    featureId,
    property: planValue,
  }),
  fc.record({ type: fc.constant('reset-property' as const), featureId, propertyId }),
  fc.record({
    type: fc.constant('enter-value' as const),
    featureId,
    propertyId,
    value: fc.oneof(
      fc.constantFrom(null, Number.NaN, 'typed', true),
      propertyType.chain((type) => valueOfType(type)),
    ),
  }),
  fc.record({
    type: fc.constant('remove-properties' as const),
    featureId,
    propertyIds: fc.subarray(PROPERTIES),
  }),
);

/** Order-free text of what a plan's values say. */
const contentOf = (values: PlanProperties) =>
  canonicalJson(
    Object.fromEntries(
      Object.entries(values)
        .filter(([, list]) => list.length > 0)
        .map(([id, list]) => [id, Object.fromEntries(list.map((value) => [value.id, value]))]),
    ),
  );

describe('editing', () => {
  test('what is opened and not edited is what would be sent, and is no change', () => {
    fc.assert(
      fc.property(properties, (values) => {
        const state = startEditing(planVersion(values));
        expect(contentOf(writeDraft(state.draft, []))).toBe(contentOf(values));
        expect(changesOf(state)).toEqual([]);
      }),
    );
  });

  test('an edit leaves every other feature, and every other value of its own, the very same object', () => {
    fc.assert(
      fc.property(properties, fc.array(action, { maxLength: 12 }), action, (values, former, last) => {
        const before = former.reduce(editPlan, startEditing(planVersion(values)));
        const after = editPlan(before, last);
        const named = 'featureId' in last ? last.featureId : '';
        for (const id of FEATURES) {
          if (id !== named) expect(after.draft.get(id)).toBe(before.draft.get(id));
        }
        if (last.type !== 'enter-value') return;
        const [then, now] = [before.draft.get(named), after.draft.get(named)];
        expect(now?.size).toBe(then?.size);
        for (const id of PROPERTIES) {
          if (id !== last.propertyId) expect(now?.get(id)).toBe(then?.get(id));
        }
      }),
    );
  });

  test('no edit touches what was opened, nor the version it is made on', () => {
    fc.assert(
      fc.property(properties, fc.array(action, { maxLength: 20 }), (values, actions) => {
        const start = startEditing(planVersion(values, 7));
        const state = actions.reduce(editPlan, start);
        expect(state.base).toBe(start.base);
        expect(state.version).toBe(7);
        expect(contentOf(writeDraft(start.base, []))).toBe(contentOf(values));
      }),
    );
  });

  test('an edit that was kept as text when the session ended is the same edit again', () => {
    fc.assert(
      fc.property(properties, fc.array(action, { maxLength: 20 }), (values, actions) => {
        const state = actions.reduce(editPlan, startEditing(planVersion(values, 7)));
        const text = JSON.stringify(packEdit(state));
        const start = startEditing(planVersion({}, 9));
        const continued = editPlan(start, { type: 'continue', state: unpackEdit(JSON.parse(text)) });
        expect(JSON.stringify(packEdit(continued))).toBe(text);
        expect(continued.version).toBe(7);
        expect(changesOf(continued)).toHaveLength(changesOf(state).length);
      }),
    );
  });

  test('a feature that is selected is switched on by its system property, and by nothing else', () => {
    const state = editPlan(startEditing(planVersion({})), {
      type: 'select-feature',
      featureId: 'feat_a',
      systemPropertyId: 'prop_enabled',
    });
    expect(writeDraft(state.draft, [])).toEqual({
      feat_a: [{ id: 'prop_enabled', type: 'boolean', value: true }],
    });
  });

  test('deselecting drops all of a feature, and its values can be had back while the page is open', () => {
    fc.assert(
      fc.property(properties, featureId, (values, id) => {
        const start = startEditing(planVersion(values));
        const without = editPlan(start, { type: 'deselect-feature', featureId: id });
        expect(without.draft.has(id)).toBe(false);
        const again = editPlan(without, {
          type: 'select-feature',
          featureId: id,
          systemPropertyId: 'prop_1',
        });
        const restored = editPlan(again, { type: 'restore-feature', featureId: id });
        if (start.draft.has(id)) expect(changesOf(restored)).toEqual([]);
      }),
    );
  });

  test('a property that is configured starts with its default and is gone when it is reset', () => {
    fc.assert(
      fc.property(planValue, (configured) => {
        const start = editPlan(startEditing(planVersion({})), {
          type: 'select-feature',
          featureId: 'feat_a',
          systemPropertyId: undefined,
        });
        const state = editPlan(start, {
          type: 'configure-property',
          featureId: 'feat_a',
          property: configured,
        });
        expect(contentOf(writeDraft(state.draft, []))).toBe(contentOf({ feat_a: [configured] }));
        const reset = editPlan(state, {
          type: 'reset-property',
          featureId: 'feat_a',
          propertyId: configured.id,
        });
        expect(writeDraft(reset.draft, [])).toEqual({});
      }),
    );
  });

  test('a feature without a value of its own for being on is sent with the default, so saving does not turn it on', () => {
    const seats = { id: 'prop_seats', type: 'number' as const, value: 5 };
    const { draft } = startEditing(planVersion({ feat_a: [seats] }));
    expect(writeDraft(draft, [feature('feat_a', [])])).toEqual({
      feat_a: [seats, { id: 'feat_a_enabled', type: 'boolean', value: false }],
    });
  });

  test('a value that arrives for what is no longer configured changes nothing', () => {
    const start = startEditing(planVersion({}));
    const late: EditorAction = { type: 'enter-value', featureId: 'feat_a', propertyId: 'prop_1', value: 1 };
    expect(editPlan(start, late)).toBe(start);
  });

  test('another spelling of the same meter is no change', () => {
    const meter = { limit: 5, periodType: 'rolling', periodLength: 'day', uniqueResourceIds: false } as const;
    const one = readDraft({
      feat_a: [{ id: 'p', type: 'meterable', value: { state: 'metered', meter } }],
    });
    const other = readDraft({
      feat_a: [
        { id: 'p', type: 'meterable', value: { state: 'metered', meter: { ...meter, periodCount: 1 } } },
      ],
    });
    expect(differencesOf(one, other)).toEqual([]);
  });

  test('another limit in a trial is a change, and so is none', () => {
    const meter = {
      limit: 5,
      periodType: 'billing',
      periodLength: 'month',
      uniqueResourceIds: false,
    } as const;
    const [none, one, zero] = [{}, { trialLimit: 1 }, { trialLimit: 0 }].map((trial) =>
      readDraft({
        feat_a: [{ id: 'p', type: 'meterable', value: { state: 'metered', meter: { ...meter, ...trial } } }],
      }),
    );
    for (const [before, after] of [
      [none, one],
      [one, none],
      [none, zero],
      [one, zero],
    ])
      expect(differencesOf(before!, after!)).toHaveLength(1);
  });

  test('what rolls over is a part of the value, in any spelling', () => {
    const meter = {
      limit: 5,
      periodType: 'rolling',
      periodLength: 'month',
      uniqueResourceIds: false,
    } as const;
    const rollover = { max: 'all', lasts: { months: 1 } } as const;
    const [none, one, same] = [{}, { rollover }, { rollover: { ...rollover, share: 100, times: 1 } }].map(
      (rolling) =>
        readDraft({
          feat_a: [
            { id: 'p', type: 'meterable', value: { state: 'metered', meter: { ...meter, ...rolling } } },
          ],
        }),
    );
    expect(differencesOf(none!, one!)).toHaveLength(1);
    expect(differencesOf(one!, same!)).toEqual([]);
  });
});

test('overage is a part of the value', () => {
  const meter = { limit: 5, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const [none, some, any] = [{}, { overage: { upTo: 2 } }, { overage: 'allow' as const }].map((more) =>
    readDraft({
      feat_a: [{ id: 'p', type: 'meterable', value: { state: 'metered', meter: { ...meter, ...more } } }],
    }),
  );
  for (const [one, other] of [
    [none, some],
    [some, any],
  ])
    expect(differencesOf(one!, other!)).toHaveLength(1);
  expect(differencesOf(some!, some!)).toEqual([]);
});

test('what each one costs is a part of the value, and not sent where the property costs nothing', () => {
  const unlimited = (per?: number) => ({ state: 'on', ...(per && { costs: { per } }) }) as const;
  const draftOf = (per?: number) =>
    readDraft({ feat_a: [{ id: 'images', type: 'meterable', value: unlimited(per) }] });
  expect(differencesOf(draftOf(3), draftOf(4))).toHaveLength(1);
  expect(differencesOf(draftOf(3), draftOf())).toHaveLength(1);
  expect(differencesOf(draftOf(3), draftOf(3))).toEqual([]);
  const sent = (costs: { propertyId: string; per: number } | null) => {
    const images = property('images', 'meterable', { state: 'on' }, { costs });
    const { feat_a: values = [] } = writeDraft(draftOf(3), [feature('feat_a', [images])]);
    return values.find(({ id }) => id === 'images')?.value;
  };
  expect(sent({ propertyId: 'credits', per: 4 })).toEqual(unlimited(3));
  expect(sent(null)).toEqual(unlimited());
});

describe('before anything is sent', () => {
  const seats = property('prop_seats', 'number', 1, { bounds: { min: 0, max: 10, allowDecimal: false } });
  const text = property('prop_text', 'string', '');
  const features = [feature('feat_a', [seats, text]), feature('feat_b', [seats])];

  test('missing features, removed properties and values that do not fit are found, in the order of the page', () => {
    const draft = readDraft({
      feat_b: [{ id: 'prop_seats', type: 'number', value: 11 }],
      feat_gone: [{ id: 'prop_x', type: 'boolean', value: true }],
      feat_a: [
        { id: 'prop_seats', type: 'number', value: 1.5 },
        { id: 'prop_gone', type: 'string', value: '' },
      ],
    });
    expect(missingFeatures(draft, features)).toEqual(['feat_gone']);
    expect(removedProperties(draft.get('feat_a')!, [seats, text])).toEqual(['prop_gone']);
    expect(findProblems(draft, features)).toEqual([
      { kind: 'missing-feature', featureId: 'feat_gone' },
      { kind: 'removed-properties', featureId: 'feat_a' },
      { kind: 'value', featureId: 'feat_a', propertyId: 'prop_seats' },
      { kind: 'value', featureId: 'feat_b', propertyId: 'prop_seats' },
    ]);
  });

  test('removing what is no longer there leaves the rest, and nothing in the way', () => {
    const version = planVersion({
      feat_a: [
        { id: 'prop_seats', type: 'number', value: 5 },
        { id: 'prop_gone', type: 'string', value: '' },
      ],
      feat_gone: [{ id: 'prop_x', type: 'boolean', value: true }],
    });
    const steps: EditorAction[] = [
      { type: 'remove-properties', featureId: 'feat_a', propertyIds: ['prop_gone'] },
      { type: 'remove-properties', featureId: 'feat_gone', propertyIds: ['prop_x'] },
    ];
    const state = steps.reduce(editPlan, startEditing(version));
    expect(findProblems(state.draft, features)).toEqual([]);
    expect(writeDraft(state.draft, [])).toEqual({ feat_a: [{ id: 'prop_seats', type: 'number', value: 5 }] });
  });

  test('what the server refuses is led back to its row', () => {
    const sent: PlanProperties = {
      feat_a: [
        { id: 'prop_text', type: 'string', value: '' },
        { id: 'prop_meter', type: 'meterable', value: { state: 'on' } },
      ],
    };
    const issues = [
      { path: 'properties.feat_a.1.value.meter.limit', message: 'Must be a whole number' },
      { path: 'properties.feat_a.1.value', message: 'Must be on, off or metered' },
      { path: 'properties.feat_gone', message: 'Feature no longer exists' },
      { path: '', message: 'No' },
    ];
    expect(refusalsOf(issues, sent)).toEqual([
      {
        featureId: 'feat_a',
        propertyId: 'prop_meter',
        errors: { 'meter.limit': 'Must be a whole number', '': 'Must be on, off or metered' },
      },
    ]);
  });
});

describe('two people', () => {
  const edits = fc.tuple(properties, properties, properties);

  test('all of mine is mine, and all of theirs is theirs', () => {
    fc.assert(
      fc.property(edits, ([base, mine, theirs]) => {
        const [b, m, t] = [readDraft(base), readDraft(mine), readDraft(theirs)];
        const rows = mergeRows(b, m, t);
        const all = (side: Side) => new Map(rows.map((row) => [rowKey(row.featureId, row.propertyId), side]));
        expect(contentOf(writeDraft(mergeDrafts(t, rows, all('mine')), []))).toBe(contentOf(mine));
        expect(contentOf(writeDraft(mergeDrafts(t, rows, all('theirs')), []))).toBe(contentOf(theirs));
      }),
    );
  });

  test('every value in which they differ is offered, each with both sides', () => {
    fc.assert(
      fc.property(edits, ([base, mine, theirs]) => {
        const [b, m, t] = [readDraft(base), readDraft(mine), readDraft(theirs)];
        const offered = new Set(mergeRows(b, m, t).map((row) => rowKey(row.featureId, row.propertyId)));
        const differing = differencesOf(m, t).map((row) => rowKey(row.featureId, row.propertyId));
        expect(offered).toEqual(new Set(differing));
        for (const row of mergeRows(b, m, t)) {
          expect(row.mine).toBe(m.get(row.featureId)?.get(row.propertyId));
          expect(row.theirs).toBe(t.get(row.featureId)?.get(row.propertyId));
        }
      }),
    );
  });

  test('edits of different features come together without a question', () => {
    const base = readDraft({
      feat_a: [{ id: 'p', type: 'number', value: 1 }],
      feat_b: [{ id: 'q', type: 'number', value: 1 }],
    });
    const mine = readDraft({
      feat_a: [{ id: 'p', type: 'number', value: 2 }],
      feat_b: [{ id: 'q', type: 'number', value: 1 }],
    });
    const theirs = readDraft({ feat_a: [{ id: 'p', type: 'number', value: 1 }] });
    const rows = mergeRows(base, mine, theirs);
    const choices = suggestedChoices(rows);
    expect(choices.size).toBe(rows.length);
    expect(writeDraft(mergeDrafts(theirs, rows, choices), [])).toEqual({
      feat_a: [{ id: 'p', type: 'number', value: 2 }],
    });
  });

  test('a value that both changed to something else is never chosen for them', () => {
    fc.assert(
      fc.property(edits, ([base, mine, theirs]) => {
        const rows = mergeRows(readDraft(base), readDraft(mine), readDraft(theirs));
        const choices = suggestedChoices(rows);
        for (const row of rows) {
          const before = readDraft(base).get(row.featureId)?.get(row.propertyId);
          const [one, other] = [row.mine, row.theirs].map((side) => JSON.stringify(side ?? null));
          const original = JSON.stringify(before ?? null);
          const didBoth = one !== original && other !== original && one !== other;
          if (didBoth) expect(choices.has(rowKey(row.featureId, row.propertyId))).toBe(false);
        }
      }),
    );
  });

  test('continuing from the current version keeps every edit', () => {
    const state: EditorState = editPlan(
      startEditing(planVersion({ feat_a: [{ id: 'p', type: 'number', value: 1 }] })),
      { type: 'enter-value', featureId: 'feat_a', propertyId: 'p', value: 2 },
    );
    const current = planVersion({ feat_a: [{ id: 'p', type: 'number', value: 3 }] }, 2);
    const next = editPlan(state, { type: 'rebase', current, draft: state.draft });
    expect(next.version).toBe(2);
    expect(changesOf(next)).toHaveLength(1);
    expect(next.draft).toBe(state.draft);
  });
});

describe('searching', () => {
  const features = [
    feature('feat_a', [property('p1', 'number', 0, { name: 'Row limit' })], 'Data exports'),
    feature('feat_b', [property('p2', 'number', 0, { name: 'Limit of seats' })], 'Équipe'),
  ];
  const found = (query: string) =>
    searchFeatures(features, query).map((item) => [item.feature.id, item.properties.map(({ id }) => id)]);

  test('features are found by their own names and by those of their properties, without case or accents', () => {
    expect(found('')).toEqual([
      ['feat_a', []],
      ['feat_b', []],
    ]);
    expect(found('EXPORT')).toEqual([['feat_a', []]]);
    expect(found('equipe')).toEqual([['feat_b', []]]);
    expect(found('limit')).toEqual([
      ['feat_a', ['p1']],
      ['feat_b', ['p2']],
    ]);
    expect(found('data limit')).toEqual([['feat_a', ['p1']]]);
    expect(found('nothing of that')).toEqual([]);
  });

  test('whatever is typed is text', () => {
    for (const text of [...HOSTILE_NAMES, '.*', '[', '(']) expect(() => found(text)).not.toThrow();
  });
});

test('the selected features are the ids of the draft, and none of an empty one', () => {
  expect([...splitIds(joinIds([]))]).toEqual([]);
  expect([...splitIds(joinIds(FEATURES))]).toEqual(FEATURES);
});
