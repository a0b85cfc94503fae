// What calls took from balances, as roll-ups count it.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { Breakdown } from '../../events/breakdown.ts';
import { otherKeyOf } from '../../events/drawn-from-balances.ts';
import { readShapes } from '../../events/event-shape.ts';
import { groupEvents } from '../../events/group-events.ts';
import { Rollup } from '../../events/rollup.ts';
import { tallyLines } from '../../events/tally-lines.ts';
import { plainEvent } from './plain-event.ts';

const HOLD = 'hold_weur_0_01kb8x2v9aq7ztm3c5d4e6f8g0';
const METER = { state: 'metered', allowed: true, limit: 10, used: 4, remaining: 6 };
const CREDITS = { feature: 'ai', property: 'credits' };
let events = 0;

const call = (request: object, answer: object, changes: Partial<RecordedEvent> = {}) => {
  events += 1;
  const response = JSON.stringify({ accepted: true, replayed: false, ...answer, meter: METER });
  return plainEvent({ id: `evt_${events}`, type: 'cu', request, response, ...changes });
};
const drew = (from: string, amount: number) => ({ applied: amount, draws: [{ from, amount }] });

/** By key: taken, and given back. */
function drawnBy(...recorded: readonly RecordedEvent[]): Record<string, readonly number[]> {
  const rollup = new Rollup();
  for (const { lines, shapes } of groupEvents(recorded, () => 'grp'))
    for (const minute of tallyLines(lines, readShapes(shapes), () => []).minutes.values())
      rollup.merge(minute);
  return Object.fromEntries(
    Rollup.read(rollup.write())
      .draws.largest(100)
      .map(({ key, counts }) => [key, counts]),
  );
}

describe('what calls took from balances', () => {
  test('is counted by meter and balance, or by kind for those with an ID of the application', () => {
    const counted = drawnBy(
      call(CREDITS, drew('inv-118', 3)),
      call(CREDITS, drew('inv-119', 4)),
      call(CREDITS, drew('bal_1', 5)),
      call(CREDITS, drew('roll:prop_1:1790000000000', 6)),
      call({ ...CREDITS, property: 'tokens' }, drew('bal_1', 7)),
      call(CREDITS, drew('inv-118', -2)),
    );
    expect(counted).toEqual({
      'ai credits api': [7, 2],
      'ai credits bal_1': [5],
      'ai credits rollover': [6],
      'ai tokens bal_1': [7],
    });
  });

  test('includes what a check consumed, and what a meter cost of another', () => {
    const consumed = { accepted: true, replayed: false, ...drew('bal_1', 2), ...METER };
    const check = plainEvent({
      ...{ id: 'evt_check', type: 'ac', request: { consume: CREDITS } },
      ...{ response: `{"version":1,"consumed":${JSON.stringify(consumed)}`, responseRest: ',"warnings":[]}' },
    });
    const costs = { ...CREDITS, per: 2, ...drew('bal_1', 6), meter: METER };
    expect(drawnBy(check, call({ feature: 'chat', property: 'messages' }, { applied: 3, costs }))).toEqual({
      'ai credits bal_1': [8],
    });
  });

  test('counts a hold once it is settled', () => {
    const hold = { id: HOLD, amount: 4, expiresAt: 1 };
    const asked = { hold: HOLD, ...CREDITS };
    const held = { isHold: true };
    expect(
      drawnBy(
        call({ ...CREDITS, amount: 4 }, { hold, draws: [{ from: 'bal_1', amount: 4 }] }, held),
        call(asked, { hold, draws: [{ from: 'bal_1', amount: 2 }] }, held),
        call(asked, { ...drew('bal_1', 3), released: 3, overage: 0, hold }, held),
      ),
    ).toEqual({ 'ai credits bal_1': [3] });
  });

  test('leaves out what is repeated or refused, and what is no balance', () => {
    expect(
      drawnBy(
        call(CREDITS, { ...drew('bal_1', 3), replayed: true }),
        call(CREDITS, { accepted: false, applied: 0 }),
        call({ ...CREDITS, note: '"draws":[{' }, { applied: 3 }),
      ),
    ).toEqual({});
  });
});

test('of more balances than a roll-up has room for, the others are counted together', () => {
  const breakdown = new Breakdown();
  for (let index = 0; index < 10; index++) breakdown.count(`ai credits bal_${index}`, index % 2, index + 1);
  const kept = new Breakdown();
  kept.read(breakdown.write(3, otherKeyOf));
  const entries = kept.largest(100);
  expect(entries.map(({ key }) => key)).toEqual([
    'ai credits other',
    'ai credits bal_9',
    'ai credits bal_8',
    'ai credits bal_7',
  ]);
  const sums = [0, 1].map((column) => entries.reduce((sum, { counts }) => sum + (counts[column] ?? 0), 0));
  expect(sums).toEqual([25, 30]);
});
