/**
 * The nine data locations, in the table's order (which decides ties and an organisation's home location), with the
 * coordinates of a city that stands for each.
 */
import type { Location } from '#contracts/locations';

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

/** What people call it: Western Europe. */
export function locationName(location: DataLocation): string {
  return DATA_LOCATIONS.find((entry) => entry.location === location)?.name ?? location;
}

/** Whether `text` names a data location. */
export function isDataLocation(text: string): text is DataLocation {
  return DATA_LOCATIONS.some((entry) => entry.location === text);
}

/** An organisation's first enabled location in the table's order: where its strict readings are taken. */
export function homeLocation(enabled: readonly DataLocation[]): DataLocation | null {
  return DATA_LOCATIONS.find((entry) => enabled.includes(entry.location))?.location ?? null;
}
