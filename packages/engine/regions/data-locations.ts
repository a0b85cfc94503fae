/**
 * The nine data locations, with the coordinates of a representative city. Their order decides ties and an organisation's
 * home location.
 */
import type { Location } from '#contracts/public/locations';

export type DataLocation = Location;

export interface DataLocationEntry {
  readonly location: DataLocation;
  readonly name: string;
  /** Degrees, north positive. */
  readonly latitude: number;
  /** Degrees, east positive. */
  readonly longitude: number;
}

export const DATA_LOCATIONS: readonly DataLocationEntry[] = [
  { location: 'wnam', name: 'Western North America', latitude: 37.77, longitude: -122.42 },
  { location: 'enam', name: 'Eastern North America', latitude: 39.04, longitude: -77.49 },
  { location: 'weur', name: 'Western Europe', latitude: 48.86, longitude: 2.35 },
  { location: 'eeur', name: 'Eastern Europe', latitude: 52.23, longitude: 21.01 },
  { location: 'apac', name: 'Asia-Pacific', latitude: 22.32, longitude: 114.17 },
  { location: 'sam', name: 'South America', latitude: -23.55, longitude: -46.63 },
  { location: 'oc', name: 'Oceania', latitude: -33.87, longitude: 151.21 },
  { location: 'afr', name: 'Africa', latitude: -26.2, longitude: 28.05 },
  { location: 'me', name: 'Middle East', latitude: 25.2, longitude: 55.27 },
];

/** The location's display name, such as Western Europe. */
export function locationName(location: DataLocation): string {
  return DATA_LOCATIONS.find((entry) => entry.location === location)?.name ?? location;
}

/** The enabled locations in the table's order, whatever order they were stored in. */
export function inLocationOrder(enabled: readonly DataLocation[]): DataLocation[] {
  return DATA_LOCATIONS.map(({ location }) => location).filter((location) => enabled.includes(location));
}

/** An organisation's first enabled location in the table's order. Strict readings are taken there. */
export function homeLocation(enabled: readonly DataLocation[]): DataLocation | null {
  return inLocationOrder(enabled)[0] ?? null;
}
