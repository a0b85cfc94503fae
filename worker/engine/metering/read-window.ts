/** Reads a meter from the cells of all origins: any window, at any time, from the same counts (DESIGN section 6). */
import type { LedgerReading } from '#contracts/ledger';
import { cellEnd, cellStart, MINUTE_MS, minuteOf, trailingWidth } from './cell-grid.ts';
import type { CellSeries } from './cell-series.ts';
import { leavingInstant } from './leaving-instant.ts';
import { type MeterPeriod, windowOf } from './window-of.ts';

/** Minutes: the first one of the window, and the first one after it. */
export interface Reach {
  readonly from: number;
  readonly to: number;
}

/** Which cells a window counts now. A trailing window keeps a cell of its resolution until all of it has left. */
export function reachOf(meter: MeterPeriod, now: number): Reach {
  const to = Number.POSITIVE_INFINITY;
  if (meter.periodType === 'lifetime') return { from: Number.NEGATIVE_INFINITY, to };
  const { startsAt, resetsAt } = windowOf(meter, now);
  if (resetsAt !== null) return { from: minuteOf(startsAt), to: minuteOf(resetsAt) };
  return { from: cellStart(trailingWidth(meter), minuteOf(startsAt)), to };
}

/** @param series one for each origin */
export function readWindow(meter: MeterPeriod, now: number, series: readonly CellSeries[]): LedgerReading {
  const { from, to } = reachOf(meter, now);
  let sum = 0;
  for (const each of series) sum += each.sum(from, to);
  const used = Math.min(Math.max(0, sum), Number.MAX_SAFE_INTEGER);
  if (meter.periodType === 'lifetime') return { used, resetsAt: null };
  if (meter.periodType === 'rolling') return { used, resetsAt: windowOf(meter, now).resetsAt };
  return { used, resetsAt: used === 0 ? null : nextLeaving(meter, from, series) };
}

/** When the oldest cell of the window's resolution that holds more uses than give-backs leaves the window. */
function nextLeaving(meter: MeterPeriod, from: number, series: readonly CellSeries[]): number | null {
  const width = trailingWidth(meter);
  const cursors = series.map((each) => each.since(from));
  const heads = cursors.map((cursor) => cursor.next());
  for (;;) {
    let start = Number.POSITIVE_INFINITY;
    for (const head of heads) if (!head.done) start = Math.min(start, cellStart(width, head.value.start));
    if (start === Number.POSITIVE_INFINITY) return null;
    const end = cellEnd(width, start);
    let amount = 0;
    for (const [index, cursor] of cursors.entries()) {
      let head = heads[index];
      while (head !== undefined && !head.done && head.value.start < end) {
        amount += head.value.amount;
        head = cursor.next();
        heads[index] = head;
      }
    }
    if (amount > 0) return leavingInstant(meter, end * MINUTE_MS);
  }
}
