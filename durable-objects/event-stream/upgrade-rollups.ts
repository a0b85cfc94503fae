/**
 * Roll-ups of earlier versions: an event was counted in one row only, first in a minute, after hours in an hour and after days in a
 * day. Folds the hours into days, so that the rows are as RollupStore keeps them. Runs once per stream.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { Rollup } from '#engine/events/rollup';
import type { RollupExtent } from './rollup-extent.ts';
import { RollupChanges, type RollupRows } from './rollup-rows.ts';

/** Runs inside a transaction. */
export function upgradeRollups(rows: RollupRows): RollupExtent {
  const hoursFrom = endOf(rows.lastAt(DAY_MS), DAY_MS);
  const foldedTo = Math.max(hoursFrom, endOf(rows.lastAt(HOUR_MS), HOUR_MS));
  const changes = new RollupChanges(rows);
  const hours = { width: HOUR_MS, fromAt: 0, toAt: foldedTo } as const;
  for (const { at, envId, text } of rows.read(hours, null, 'all'))
    changes.merge(DAY_MS, at, envId, Rollup.read(text));
  const minutes = { width: MINUTE_MS, fromAt: 0, toAt: foldedTo } as const;
  for (const { at, envId, text } of rows.read(minutes, null, 'all')) {
    const rollup = Rollup.read(text);
    changes.merge(DAY_MS, at, envId, rollup);
    if (at >= hoursFrom) changes.merge(HOUR_MS, at, envId, rollup);
  }
  changes.write();
  rows.delete(minutes);
  rows.delete({ ...hours, toAt: hoursFrom });
  return { minutesFrom: foldedTo, hoursFrom, foldedTo };
}

function endOf(at: number | null, width: number): number {
  return at === null ? 0 : at + width;
}
