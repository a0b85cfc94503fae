/** Puts what was rolled over in its place among what usage is drawn from, as `sourcesOf` does for answers. */
import type { DrawSource, RolledGrant } from '#contracts/internal/ledger';
import { compareDrawing, compareEnds, QUOTA_PRIORITY, rolledRanked } from './drawing-order.ts';

/** @param sources in order, those of `placedSources` */
export function withRolledSources(
  sources: readonly DrawSource[],
  rolled: readonly RolledGrant[],
  quotaEndsAt: number | null,
): readonly DrawSource[] {
  const all = [...sources];
  // The last one first: those before it are put before it.
  const last = rolled.toSorted((one, other) => compareDrawing(rolledRanked(other), rolledRanked(one)));
  for (const { grant, amount, endsAt } of last) {
    const isBefore = (each: DrawSource) => {
      const [priority, ends] =
        each === 'quota' ? [QUOTA_PRIORITY, quotaEndsAt] : (each.order ?? [QUOTA_PRIORITY, null]);
      return priority < QUOTA_PRIORITY || (priority === QUOTA_PRIORITY && compareEnds(ends, endsAt) < 0);
    };
    const place = all.findIndex((each) => !isBefore(each));
    all.splice(place < 0 ? all.length : place, 0, { grant, amount, order: [QUOTA_PRIORITY, endsAt] });
  }
  return all;
}
