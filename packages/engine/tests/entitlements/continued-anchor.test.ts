// Cancelling and subscribing again: whose billing windows the new subscription has.
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { DAY_MS } from '#engine/durations';
import { continuedAnchor } from '#engine/entitlements/continued-anchor';
import { billingWindow } from '#engine/metering/billing-window';

const day = (days: number) => Date.parse('2026-01-01T09:30:00Z') + days * DAY_MS;
const ended = (by: string, at: number, until: number) => ({ by, at: day(at), endedAt: day(until) });
const own = (at: number) => ({ by: 'sub_new', at: day(at) });
/** January: its window ends on day 31. */
const january = ended('sub_january', 0, 20);

type Given = readonly [
  at: number,
  ...(Parameters<typeof continuedAnchor> extends [unknown, ...infer Rest] ? Rest : never),
];

test.each<[string, string, Given]>([
  ['is its own without a rule', 'sub_new', [10, [january], 1, 0]],
  ['is the former one’s within the days', 'sub_january', [10, [january], 1, 11]],
  ['is its own once they have passed', 'sub_new', [10, [january], 1, 10]],
  ['is its own after the window, however many days', 'sub_new', [31, [january], 1, 365]],
  [
    'is the former one’s also where that ends later',
    'sub_january',
    [10, [ended('sub_january', 0, 12)], 1, 30],
  ],
  ['is counted from the window that was the last', 'sub_january', [40, [ended('sub_january', 0, 35)], 1, 10]],
  ['follows windows as long as the meter’s', 'sub_january', [70, [ended('sub_january', 0, 60)], 3, 80]],
  ['is its own where those of the meter are shorter', 'sub_new', [70, [ended('sub_january', 0, 58)], 1, 80]],
  [
    'is the first one’s of several in a row',
    'sub_january',
    [25, [january, ended('sub_second', 15, 20)], 1, 30],
  ],
  ['is not that of one that begins later', 'sub_new', [10, [ended('sub_later', 12, 20)], 1, 30]],
])('the anchor %s', (_, by, [at, ...rest]) => {
  expect(continuedAnchor(own(at), ...rest).by).toBe(by);
});

it('begins no window sooner than the days after the one before, whoever subscribes how often', () => {
  const stays = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 70 })), {
    minLength: 2,
    maxLength: 12,
  });
  fc.assert(
    fc.property(stays, fc.integer({ min: 1, max: 28 }), (list, minDays) => {
      let at = 0;
      const subscriptions = list.map(([pause, stay], index) => {
        const began = at + pause;
        at = began + stay;
        return ended(`sub_${index}`, began, at);
      });
      const starts = new Set<number>();
      for (const [index, each] of subscriptions.entries()) {
        const { at: anchor } = continuedAnchor(each, subscriptions.slice(0, index), 1, minDays);
        for (let now = each.at; now < each.endedAt; now += DAY_MS)
          starts.add(billingWindow(anchor, 1, now).startsAt);
      }
      const sorted = [...starts].sort((one, other) => one - other);
      for (const [index, start] of sorted.entries())
        if (index > 0) expect(start - sorted[index - 1]!).toBeGreaterThanOrEqual(minDays * DAY_MS);
    }),
  );
});
