/** Which of the counted events can be listed: counts outlive events, which are archived at the end of their retention. */
import type { eventEndpoints } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import { type EventSearch, isFiltered, type Period } from './event-search.ts';

export interface ListedEvents {
  /** The instant from which events are listed, if the period begins earlier; null if all of the period's can be. */
  readonly from: number | null;
  /** Whether the chart of the period counts any; true while that is unknown. */
  readonly areCounted: boolean;
}

/** @param histogram of the period; undefined if it could not be loaded */
export function listedEvents(
  histogram: AnswerOf<typeof eventEndpoints.histogram> | undefined,
  period: Period,
): ListedEvents {
  if (histogram === undefined) return { from: null, areCounted: true };
  const { eventsFrom, buckets } = histogram;
  return {
    from: eventsFrom !== null && period.from < eventsFrom ? eventsFrom : null,
    areCounted: buckets.some(({ allowed, denied, warning, error }) => allowed + denied + warning + error > 0),
  };
}

/** Whether an empty list means that no call was ever made: there are neither counts nor archived events. */
export function awaitsFirstCall(search: EventSearch, { from, areCounted }: ListedEvents): boolean {
  return !isFiltered(search) && !areCounted && from === null;
}
