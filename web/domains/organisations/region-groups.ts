/** Groups of the nine data regions, and which enabled region serves callers near a disabled one. */
import { LOCATIONS, type Location, type LocationFlags } from '#contracts/public/locations';
import { DATA_LOCATIONS } from '#engine/regions/data-locations';
import { nearestLocation } from '#engine/regions/nearest-location';

export interface RegionGroup {
  readonly name: string;
  readonly locations: readonly Location[];
}

export const REGION_GROUPS: readonly RegionGroup[] = [
  { name: 'Americas', locations: ['wnam', 'enam', 'sam'] },
  { name: 'Europe', locations: ['weur', 'eeur'] },
  { name: 'Africa and the Middle East', locations: ['afr', 'me'] },
  { name: 'Asia and Oceania', locations: ['apac', 'oc'] },
];

const entries = new Map(DATA_LOCATIONS.map((entry) => [entry.location, entry]));

export const enabledOf = (flags: LocationFlags): Location[] =>
  LOCATIONS.filter((location) => flags[location]);

/** The enabled region that serves callers in `location`. Null only when none is enabled. */
export function answeredBy(location: Location, enabled: readonly Location[]): Location | null {
  return nearestLocation(entries.get(location) ?? {}, enabled);
}
