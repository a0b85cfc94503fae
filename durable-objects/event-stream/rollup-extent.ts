/**
 * Which periods have roll-ups of which width. An event is counted in a row of every width whose period includes it, so a reader takes
 * for each part of its range the widest rows that are narrow enough.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';

/** Milliseconds that a row covers. */
export type Width = typeof MINUTE_MS | typeof HOUR_MS | typeof DAY_MS;

/** Rows of one width that begin at `fromAt` or later and before `toAt`. */
export interface RowRange {
  readonly width: Width;
  readonly fromAt: number;
  readonly toAt: number;
}

/** Instants in epoch milliseconds. */
export interface RollupExtent {
  /** There are minutes from this hour on; older ones are deleted. */
  readonly minutesFrom: number;
  /** There are hours from this day on; older ones are deleted. */
  readonly hoursFrom: number;
  /** Everything before this hour is counted in hours and days too. */
  readonly foldedTo: number;
}

export const NO_EXTENT: RollupExtent = { minutesFrom: 0, hoursFrom: 0, foldedTo: 0 };

export function floorTo(at: number, width: number): number {
  return at - (at % width);
}

/** The rows that an event of this minute is counted in now. */
export function widthsOf({ minutesFrom, hoursFrom, foldedTo }: RollupExtent, minuteAt: number): Width[] {
  const widths: Width[] = [];
  if (minuteAt >= minutesFrom) widths.push(MINUTE_MS);
  if (minuteAt >= foldedTo) return widths;
  if (minuteAt >= hoursFrom) widths.push(HOUR_MS);
  return [...widths, DAY_MS];
}

/**
 * The rows that overlap a range, each event in exactly one of them.
 * @param widest rows at most this wide, where there are any
 */
export function rangesOf(
  { minutesFrom, hoursFrom, foldedTo }: RollupExtent,
  { fromAt, toAt }: { readonly fromAt: number; readonly toAt: number },
  widest: Width,
): RowRange[] {
  const minutesAt = Math.max(widest === MINUTE_MS ? minutesFrom : foldedTo, floorTo(fromAt, MINUTE_MS));
  const hoursAt = Math.max(hoursFrom, floorTo(fromAt, HOUR_MS));
  const daysAt = floorTo(fromAt, DAY_MS);
  // The first day may begin before the range: its hours are read instead.
  const wholeDaysAt = fromAt < hoursFrom || daysAt === fromAt ? daysAt : daysAt + DAY_MS;
  const ranges: RowRange[] =
    widest === DAY_MS
      ? [
          { width: HOUR_MS, fromAt: hoursAt, toAt: Math.min(wholeDaysAt, foldedTo) },
          { width: DAY_MS, fromAt: wholeDaysAt, toAt: foldedTo },
        ]
      : [
          { width: DAY_MS, fromAt: daysAt, toAt: hoursFrom },
          {
            width: HOUR_MS,
            fromAt: hoursAt,
            toAt: Math.min(foldedTo, widest === MINUTE_MS ? minutesFrom : foldedTo),
          },
        ];
  return [...ranges, { width: MINUTE_MS, fromAt: minutesAt, toAt }]
    .map((range) => ({ ...range, toAt: Math.min(range.toAt, toAt) }))
    .filter((range) => range.fromAt < range.toAt);
}
