/**
 * Finds the data location nearest to a caller: by great-circle distance from the caller's coordinates if known, otherwise
 * from the centre of their country or continent, otherwise the first in the table's order.
 */
import { DATA_LOCATIONS, type DataLocation } from './data-locations.ts';

/** The caller's place, as in `request.cf`: degrees (as text there) and ISO codes. */
export interface Place {
  latitude?: number | string | null | undefined;
  longitude?: number | string | null | undefined;
  /** AF AN AS EU NA OC SA */
  continent?: string | null | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  country?: string | null | undefined;
}

/** A point on the unit sphere. */
interface Direction {
  x: number;
  y: number;
  z: number;
}

interface Site {
  location: DataLocation;
  direction: Direction;
}

const SITES = DATA_LOCATIONS.map(
  (entry): Site => ({ location: entry.location, direction: directionOf(entry.latitude, entry.longitude) }),
);

/** Countries that are nearer to another location than their continent's. */
const LOCATION_OF_COUNTRY: ReadonlyMap<string, DataLocation> = new Map([
  ...countries('me', 'AE AF AZ BH CY GE AM IL IQ IR JO KW LB OM PK PS QA SA SY TR YE EG'),
  ...countries('eeur', 'BG BY CZ EE FI GR HR HU LT LV MD ME MK PL RO RS RU SI SK UA'),
]);

const LOCATION_OF_CONTINENT: ReadonlyMap<string, DataLocation> = new Map([
  ['AF', 'afr'],
  ['AN', 'oc'],
  ['AS', 'apac'],
  ['EU', 'weur'],
  ['NA', 'enam'],
  ['OC', 'oc'],
  ['SA', 'sam'],
]);

/** The nearest of `enabled`. Null only if it is empty. */
export function nearestLocation(place: Place, enabled: readonly DataLocation[]): DataLocation | null {
  const from = originOf(place);
  let nearest: DataLocation | null = null;
  let closeness = Number.NEGATIVE_INFINITY;
  for (const site of SITES) {
    if (!enabled.includes(site.location)) continue;
    if (from === null) return site.location;
    const cosine = dot(from, site.direction);
    if (cosine <= closeness) continue;
    closeness = cosine;
    nearest = site.location;
  }
  return nearest;
}

/** All of `enabled`, nearest first. Equal distances and unknown places keep the table's order. */
export function locationsByDistance(place: Place, enabled: readonly DataLocation[]): DataLocation[] {
  const from = originOf(place);
  const sites = SITES.filter((site) => enabled.includes(site.location));
  if (from !== null) sites.sort((one, other) => dot(from, other.direction) - dot(from, one.direction));
  return sites.map((site) => site.location);
}

function originOf(place: Place): Direction | null {
  const latitude = degrees(place.latitude, 90);
  const longitude = degrees(place.longitude, 180);
  if (latitude !== null && longitude !== null) return directionOf(latitude, longitude);
  const region =
    LOCATION_OF_COUNTRY.get(place.country ?? '') ?? LOCATION_OF_CONTINENT.get(place.continent ?? '');
  return SITES.find((site) => site.location === region)?.direction ?? null;
}

function degrees(value: number | string | null | undefined, most: number): number | null {
  if (value === null || value === undefined || value === '') return null;
  const number = Number(value);
  return Math.abs(number) <= most ? number : null;
}

/** The cosine of the angle between two directions. A larger cosine means a shorter great circle. */
function dot(one: Direction, other: Direction): number {
  return one.x * other.x + one.y * other.y + one.z * other.z;
}

function directionOf(latitude: number, longitude: number): Direction {
  const phi = (latitude * Math.PI) / 180;
  const lambda = (longitude * Math.PI) / 180;
  return { x: Math.cos(phi) * Math.cos(lambda), y: Math.cos(phi) * Math.sin(lambda), z: Math.sin(phi) };
}

function countries(location: DataLocation, codes: string): [string, DataLocation][] {
  return codes.split(' ').map((code) => [code, location]);
}
