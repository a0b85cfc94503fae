/** What the routes of calls say about data regions: which one to enable, and where the platform keeps the data of others. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { Location } from '#contracts/public/locations';
import { LOCATIONS } from '#contracts/public/locations';
import { locationName } from '#engine/regions/data-locations';
import { nearestLocation } from '#engine/regions/nearest-location';
import { placedIn } from '#engine/regions/placement';
import { formatNumber } from '#web/ui/format.ts';

type Route = Pick<EventMetrics['routes'][number], 'continent' | 'location' | 'count'>;

export interface RegionAdvice {
  readonly text: string;
  /** Null: no region would help. */
  readonly enable: Location | null;
}

const CONTINENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AF: 'Africa',
    AN: 'Antarctica',
    AS: 'Asia',
    EU: 'Europe',
    NA: 'North America',
    OC: 'Oceania',
    SA: 'South America',
  }),
);
/** Fewer calls are not worth a region. */
const LEAST_SHARE = 0.05;

export const continentName = (code: string): string => CONTINENTS.get(code) ?? code;

/**
 * The largest share of calls first: 'Asia: 31% of calls are served from Eastern North America. Enable Asia-Pacific'.
 * @param enabled regions
 */
export function regionAdvice(routes: readonly Route[], enabled: readonly Location[]): RegionAdvice[] {
  const total = routes.reduce((sum, { count }) => sum + count, 0);
  const far = routes.filter(({ continent, location, count }) => {
    const nearest = nearestLocation({ continent }, LOCATIONS);
    return (
      CONTINENTS.has(continent) &&
      count >= total * LEAST_SHARE &&
      nearest !== location &&
      !enabled.includes(nearest as Location)
    );
  });
  return far
    .toSorted((one, other) => other.count - one.count)
    .map(({ continent, location, count }) => {
      const nearest = nearestLocation({ continent }, LOCATIONS) as Location;
      const share = `${formatNumber(Math.round((count / total) * 100))}% of calls come from ${continentName(continent)} and are served from ${locationName(location)}`;
      const place = placedIn(nearest);
      if (place === null) return { text: `${share}: enable ${locationName(nearest)}.`, enable: nearest };
      return {
        text: `${share}. Data of ${locationName(nearest)} is kept in ${place}, so enabling it changes little.`,
        enable: null,
      };
    });
}

/** 'South America (kept in Eastern North America)'. */
export function servedFromLabel(location: Location): string {
  const place = placedIn(location);
  return place === null ? locationName(location) : `${locationName(location)} (kept in ${place})`;
}
