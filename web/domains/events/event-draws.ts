/** What an update or a consuming check took from balances, or gave back to them, as its response says. */
import type { Event } from '#contracts/console/events';
import { formatNumber } from '#web/ui/format.ts';
import { fieldOf } from '#web/values/event-fields.ts';

export interface EventDraw {
  /** The balance's ID. */
  readonly from: string;
  /** '2,150 from', '40 given back to'. */
  readonly words: string;
}

/** Without those of another shape. */
export function drawsOf({ response }: Pick<Event, 'response'>): readonly EventDraw[] {
  const counted = fieldOf(response, 'consumed') ?? response;
  // What it cost is drawn from balances of the meter that pays.
  const listed = [counted, fieldOf(counted, 'costs')].flatMap((each): readonly unknown[] => {
    const draws = fieldOf(each, 'draws');
    return Array.isArray(draws) ? draws : [];
  });
  return listed.flatMap((draw) => {
    const [from, amount] = [fieldOf(draw, 'from'), fieldOf(draw, 'amount')];
    if (typeof from !== 'string' || typeof amount !== 'number') return [];
    const words = amount < 0 ? 'given back to' : 'from';
    return [{ from, words: `${formatNumber(Math.abs(amount))} ${words}` }];
  });
}
