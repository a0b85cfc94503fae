/** Reference model of usage: the list of decided updates, summed up for any meter at any time. */
import type { CounterUpdate, LedgerReading, UpdateOutcome, WindowAnchor } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import type { BucketShare } from '#engine/ledger/usage-to-give-back';
import { bucketEnd, bucketStart, minuteOf, trailingWidth } from '#engine/metering/bucket-widths';
import { windowOf } from '#engine/metering/window-of';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Decision {
  readonly location: Location;
  readonly update: CounterUpdate;
  readonly outcome: Extract<UpdateOutcome, { kind: 'decided' }>;
  /** Which usage a give-back removed. */
  readonly givenBack?: readonly BucketShare[];
}

export type WindowedMeter = Meter & WindowAnchor;

function meter(
  periodType: Meter['periodType'],
  periodCount?: number,
  periodLength?: Meter['periodLength'],
): Meter[] {
  const period = { limit: 5, periodType, periodCount, periodLength };
  return [
    { ...period, uniqueResourceIds: false },
    { ...period, uniqueResourceIds: true },
  ];
}

export const METERS: readonly WindowedMeter[] = [
  ...meter('lifetime'),
  ...meter('rolling', 1, 'hour'),
  ...meter('rolling', 7, 'hour'),
  ...meter('rolling', 1, 'day'),
  ...meter('rolling', 1, 'month'),
  ...meter('rolling', 5, 'month'),
  ...meter('fixed', 1, 'hour'),
  ...meter('fixed', 5, 'hour'),
  ...meter('fixed', 100, 'hour'),
  ...meter('fixed', 3, 'day'),
  ...meter('fixed', 90, 'day'),
  ...meter('fixed', 1, 'month'),
  ...meter('fixed', 2, 'month'),
  ...meter('fixed', 70, 'month'),
];

/** From when the customers' billing windows are counted. */
export const ANCHORS = [Date.parse('2022-12-31T14:37:00Z'), Date.parse('2024-02-10T23:59:00Z')] as const;

const billed = (count: number, anchor: WindowAnchor) =>
  meter('billing', count, 'month').map((each) => ({ ...each, ...anchor }));

/** The last ones are of a trial between the anchors, of more than a year. */
export const BILLED_METERS: readonly WindowedMeter[] = [
  ...ANCHORS.flatMap((anchorAt) => [1, 3, 12].flatMap((count) => billed(count, { anchorAt }))),
  ...billed(1, { anchorAt: ANCHORS[0], trialEndAt: ANCHORS[1] }),
];

/** The sum of all amounts in the window. */
export function amountReading(
  decisions: readonly Decision[],
  meter: WindowedMeter,
  now: number,
): LedgerReading {
  const uses = decisions.flatMap(({ outcome, givenBack }) =>
    givenBack === undefined
      ? [{ at: outcome.at, amount: outcome.applied }]
      : givenBack.map(({ minute, amount }) => ({ at: minute * MINUTE, amount: -amount })),
  );
  return readingOf(uses, meter, now);
}

/** The resources in use by the last update of each. */
export function resourceReading(
  decisions: readonly Decision[],
  meter: WindowedMeter,
  now: number,
): LedgerReading {
  const lastUse = new Map<string, number>();
  for (const { update, outcome } of decisions) {
    const resourceId = update.resourceId!;
    if (update.release === true) lastUse.delete(resourceId);
    else lastUse.set(resourceId, outcome.at);
  }
  return readingOf(
    [...lastUse.values()].map((at) => ({ at, amount: 1 })),
    meter,
    now,
  );
}

interface Use {
  readonly at: number;
  readonly amount: number;
}

function readingOf(uses: readonly Use[], meter: WindowedMeter, now: number): LedgerReading {
  const { startsAt, resetsAt } = windowOf(meter, now);
  const sum = (counted: readonly Use[]) =>
    Math.max(
      0,
      counted.reduce((total, use) => total + use.amount, 0),
    );
  if (meter.periodType === 'lifetime') return { used: sum(uses), resetsAt: null };
  if (meter.periodType === 'rolling' || meter.periodType === 'billing') {
    return { used: sum(uses.filter(({ at }) => at >= startsAt && at < resetsAt!)), resetsAt };
  }
  const width = trailingWidth(meter);
  const endOf = ({ at }: Use) => bucketEnd(width, bucketStart(width, minuteOf(at))) * MINUTE;
  const counted = uses.filter((use) => endOf(use) > startsAt);
  const used = sum(counted);
  if (used === 0) return { used, resetsAt: null };
  const ends = [...new Set(counted.map(endOf))].sort((one, other) => one - other);
  const leaving = ends.find((end) => sum(counted.filter((use) => endOf(use) === end)) > 0)!;
  return { used, resetsAt: firstInstantWhenStartIs(leaving, meter, now) };
}

/** Binary search: the start of a window never moves back, and usage leaves a window within its length. */
function firstInstantWhenStartIs(start: number, meter: WindowedMeter, now: number): number {
  const unit = { hour: HOUR, day: DAY, month: 31 * DAY }[meter.periodLength!];
  let low = now;
  let high = now + (meter.periodCount! + 2) * unit;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (windowOf(meter, middle).startsAt >= start) high = middle;
    else low = middle + 1;
  }
  return low;
}
