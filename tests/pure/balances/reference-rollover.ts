/** What should be: what is left of periods that have ended, by the limits that were decided against. */
import type { Rollover } from '#contracts/public/rollover';
import { least, most, sum } from './reference-amounts.ts';
import { isIn, minuteStart, monthsAfterEnd, recurring } from './reference-calendar.ts';
import type { Deed } from './reference-knowledge.ts';
import type { Value } from './reference-plans.ts';
import type { MeterName } from './shop.ts';

const DAY = 86_400_000;

/** A period in which something was decided. The last word of all locations counts. */
export interface Seen {
  readonly since: Deed;
  readonly stamp: number;
  readonly meter: MeterName;
  readonly from: number;
  readonly to: number;
  readonly first: bigint;
  readonly last: bigint;
}

/** What is left, and can still be used. */
export interface Rolled {
  readonly id: string;
  readonly amount: bigint;
  readonly startsAt: number;
  readonly endsAt: number | null;
}

interface Used {
  readonly at: number;
  readonly of: string | null;
  readonly amount: bigint;
}

interface Rolling {
  readonly meter: MeterName;
  readonly value: Value;
  /** The latest period first. */
  readonly seen: readonly Seen[];
}

/** @param used of the meter, by the customer */
export function rolledOver(rolling: Rolling, used: readonly Used[], now: number): Rolled[] {
  const { meter, value } = rolling;
  const { period, cycle } = value;
  const rollover = value.rollover!;
  const rolled: Rolled[] = [];
  for (const { from, to, limit, isUnseen } of endedPeriods(rolling, rollover, now)) {
    const uses = used.filter((use) => isIn(use.at, { from, to }));
    if (isUnseen && sum(uses.map((use) => use.amount)) !== 0n) continue;
    const onQuota = sum(uses.filter((use) => use.of === null).map((use) => use.amount));
    const id = `roll:${meter}:${from}`;
    const endOf = (times: number) =>
      rollover.lasts === 'forever' ? null : monthsAfterEnd(period, cycle, to, rollover.lasts.months * times);
    let amount = rolledOf(rollover, limit - most(0n, onQuota));
    let time = 1;
    for (let end = endOf(1); end !== null && end <= now && time < (rollover.times ?? 1); end = endOf(time)) {
      const until = minuteStart(end);
      const drawn = sum(used.filter((use) => use.of === id && use.at < until).map((use) => use.amount));
      amount = drawn + rolledOf(rollover, amount - drawn);
      time += 1;
    }
    const endsAt = endOf(time);
    if (amount > 0n && (endsAt === null || endsAt > now)) rolled.push({ id, amount, startsAt: to, endsAt });
  }
  return rolled;
}

/** The latest first. Of those in which nothing was decided, the limit is that of the next one. */
function endedPeriods({ value: { period, cycle, limit }, seen }: Rolling, rollover: Rollover, now: number) {
  const known = seen.filter(({ to }) => to > now - keptMs(rollover));
  const current = recurring(period, cycle, now).from;
  const ended: { from: number; to: number; limit: bigint; isUnseen: boolean }[] = [];
  let next = {
    from: current,
    first: known.find(({ from }) => from === current)?.first ?? limit,
  };
  for (const each of known.filter(({ from }) => from < current)) {
    const to = Math.min(each.to, next.from);
    for (let end = next.from; end > to; ) {
      const span = recurring(period, cycle, end - 1);
      if (span.to !== end || span.from < to) break;
      ended.push({ from: span.from, to: end, limit: next.first, isUnseen: true });
      end = span.from;
    }
    ended.push({ from: each.from, to, limit: each.last, isUnseen: false });
    next = each;
  }
  return ended;
}

/** How long it is known what was left of a period. */
function keptMs({ lasts, times = 1 }: Rollover): number {
  if (lasts === 'forever') return 36_500 * DAY;
  return Math.max(400 * DAY, (lasts.months * times + 1) * 31 * DAY);
}

function rolledOf({ max, share = 100 }: Rollover, left: bigint): bigint {
  const part = (most(0n, left) * BigInt(share)) / 100n;
  return max === 'all' ? part : least(BigInt(max), part);
}
