// Events are found by the type of their call, and by what usage was taken from, in the index and in the filter.
import { describe, expect, test } from 'vitest';
import type { DrewFrom } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { EventFilter, type FilterCriteria } from '../../events/event-filter.ts';
import { type EventLine, readLines } from '../../events/event-line.ts';
import { readShapes } from '../../events/event-shape.ts';
import { groupEvents } from '../../events/group-events.ts';
import { mentionsOf } from '../../events/mentions.ts';
import { TermSet } from '../../events/term-set.ts';
import { plainEvent } from './plain-event.ts';

const HOLD = 'hold_weur_0_01kb8x2v9aq7ztm3c5d4e6f8g0';
const METERED = { state: 'metered', allowed: true, limit: 10, used: 4, remaining: 6 };
const decided = (fields: object) => ({ accepted: true, replayed: false, ...fields, meter: METERED });

const event = (id: string, changes: Partial<RecordedEvent>) => plainEvent({ id, type: 'cu', ...changes });
const update = (id: string, answer: object) =>
  event(id, { request: { feature: 'ai', property: 'credits' }, response: JSON.stringify(answer) });
const held = (id: string, request: object, answer: object) =>
  event(id, { isHold: true, request, response: JSON.stringify(answer) });
const hold = (amount: number) => ({ id: HOLD, amount, expiresAt: 1 });

/** Their names say what was taken from. */
const EVENTS: readonly RecordedEvent[] = [
  update('quota', decided({ applied: 3 })),
  update('inv-118', decided({ applied: 3, draws: [{ from: 'inv-118', amount: 3 }] })),
  update('quota and "b"', decided({ applied: 5, draws: [{ from: '"b"', amount: 3 }] })),
  update('given back to inv-118', decided({ applied: -2, draws: [{ from: 'inv-118', amount: -2 }] })),
  update('unlimited that costs quota', {
    ...{ ...decided({ applied: 3 }), meter: { state: 'on', allowed: true } },
    costs: { feature: 'ai', property: 'credits', per: 2, applied: 6, meter: METERED },
  }),
  update('unlimited that costs inv-118', {
    ...{ ...decided({ applied: 3 }), meter: { state: 'on', allowed: true } },
    costs: { applied: 6, draws: [{ from: 'inv-118', amount: 6 }], meter: METERED },
  }),
  update('refused', { ...decided({ applied: 0 }), accepted: false }),
  update('replayed', { ...decided({ applied: 3 }), replayed: true }),
  update('unlimited', { ...decided({ applied: 3 }), meter: { state: 'on', allowed: true } }),
  event('a check', { type: 'ac', response: '{"version":1', responseRest: ',"warnings":[]}' }),
  event('a consuming check: inv-118', {
    type: 'ac',
    response: `{"version":1,"consumed":${JSON.stringify({ accepted: true, replayed: false, applied: 1, draws: [{ from: 'inv-118', amount: 1 }], ...METERED })}`,
    responseRest: ',"warnings":[]}',
  }),
  event('a consuming check: quota', {
    type: 'ac',
    response: `{"version":1,"consumed":${JSON.stringify({ accepted: true, replayed: false, applied: 1, ...METERED })}`,
    responseRest: ',"warnings":[]}',
  }),
  held('hold: quota', { feature: 'ai', property: 'credits', amount: 4 }, decided({ hold: hold(4) })),
  held('hold: refused', { amount: 4 }, { accepted: false, replayed: false, hold: null, meter: METERED }),
  held(
    'extend: inv-118',
    { hold: HOLD, amount: 2 },
    decided({ hold: hold(6), draws: [{ from: 'inv-118', amount: 2 }] }),
  ),
  held('extend: longer', { hold: HOLD }, decided({ hold: hold(6) })),
  held(
    'settle: held of inv-118 and quota',
    { hold: HOLD, amount: 5 },
    decided({ applied: 5, released: 1, overage: 0, hold: hold(6), draws: [{ from: 'inv-118', amount: 2 }] }),
  ),
  held(
    'settle: held of quota',
    { hold: HOLD, amount: 8 },
    decided({ applied: 8, released: 0, overage: 0, hold: hold(6) }),
  ),
  held(
    'settle: nothing',
    { hold: HOLD, amount: 0 },
    decided({ applied: 0, released: 6, overage: 0, hold: hold(6) }),
  ),
  held('settle: conflict', { hold: HOLD, amount: 7 }, { status: 'error', code: 'hold-settled' }),
  event('hold: invalid', { isHold: true, isError: true, request: null }),
  event('former hold', { request: { amount: 4 }, response: JSON.stringify(decided({ hold: hold(4) })) }),
  update('says "hold":', decided({ applied: 1 })),
  update('of an entity', {
    ...decided({ applied: 1 }),
    meter: { ...METERED, entity: { id: 'ada "2"', limit: 5, used: 1, remaining: 4, allowed: true } },
  }),
];

const lines = groupEvents(EVENTS, () => 'grp').flatMap((group) => [
  ...readLines(group.lines, readShapes(group.shapes)),
]);

/** The terms of a chunk that has this event alone. */
function termsOf(line: EventLine): Set<string> {
  const terms = new TermSet();
  terms.addShape(line.shape, []);
  terms.addEvent(line, mentionsOf(line));
  return new Set(terms.text.split(' '));
}

function found(criteria: FilterCriteria): string[] {
  return lines.filter((line) => new EventFilter(criteria).matches(line, () => [])).map(({ id }) => id);
}

/** What the query of the full-text index finds in these terms: quoted terms with AND, OR and NOT. */
function isFoundBy(query: string, terms: ReadonlySet<string>): boolean {
  const text = query
    .replace(/"([^"]*)"/g, (_, term: string) => String(terms.has(term)))
    .replaceAll(' NOT ', ' && !')
    .replaceAll(' AND ', ' && ')
    .replaceAll(' OR ', ' || ');
  return new Function(`return ${text}`)() as boolean;
}

const OF_INV_118 = [
  'inv-118',
  'given back to inv-118',
  'unlimited that costs inv-118',
  'a consuming check: inv-118',
  'extend: inv-118',
  'settle: held of inv-118 and quota',
];

describe('the filter "Drew from"', () => {
  test.each<[DrewFrom, string[]]>([
    ['balance:inv-118', OF_INV_118],
    ['balance:"b"', ['quota and "b"']],
    ['balance:inv', []],
    [
      'quota',
      [
        ...[
          'quota',
          'quota and "b"',
          'unlimited that costs quota',
          'a consuming check: quota',
          'hold: quota',
        ],
        ...['settle: held of inv-118 and quota', 'settle: held of quota', 'former hold', 'says "hold":'],
        'of an entity',
      ],
    ],
    ['held', ['settle: held of inv-118 and quota', 'settle: held of quota']],
  ])('%s finds exactly the calls that took from it', (drewFrom, expected) => {
    expect(found({ drewFrom })).toEqual(expected);
  });

  test.each<FilterCriteria>([
    { drewFrom: 'balance:inv-118' },
    { drewFrom: 'balance:"b"' },
    { drewFrom: 'held' },
    { isHold: true },
  ])('the index finds what the filter %j finds, in chunks of earlier releases too', (criteria) => {
    const query = new EventFilter(criteria).indexQuery([]) ?? '';
    for (const line of lines) {
      const terms = termsOf(line);
      const former = new Set([`type0${line.shape.type}`]);
      if (!new EventFilter(criteria).matches(line, () => [])) continue;
      expect(isFoundBy(query, terms), line.id).toBe(true);
      expect(isFoundBy(query, former), line.id).toBe(true);
    }
    expect(isFoundBy(query, termsOf(lines[0]!))).toBe(false);
  });
});

test('calls about holds are told from counter updates, refused ones and those of earlier releases too', () => {
  const holds = lines.filter(({ id }) => /^(hold|extend|settle|former)/.test(id)).map(({ id }) => id);
  expect(found({ type: 'cu', isHold: true })).toEqual(holds);
  expect(found({ type: 'cu' })).toEqual(lines.filter(({ shape }) => shape.type === 'cu').map(({ id }) => id));
  expect(found({ type: 'cu', isHold: false })).toEqual(
    found({ type: 'cu' }).filter((id) => !holds.includes(id)),
  );
});

test('a text finds a balance by its ID, and a hold also where its call was refused', () => {
  expect(found({ text: 'inv-118' })).toEqual(OF_INV_118);
  expect(found({ text: HOLD })).toContain('settle: conflict');
});

test('what was counted for an entity is found by its ID', () => {
  const line = lines.find(({ id }) => id === 'of an entity')!;
  expect(mentionsOf(line).entity).toBe('ada "2"');
  expect(found({ text: 'ada' })).toEqual(['of an entity']);
  expect([...termsOf(line)]).toContain('ada');
  expect(lines.filter((each) => mentionsOf(each).entity !== null)).toEqual([line]);
});
