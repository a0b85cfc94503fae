/**
 * Where the platform keeps the objects of a data location. In some it creates none, and takes a nearby one:
 * developers.cloudflare.com/durable-objects/reference/data-location.
 */
import { type DataLocation, locationName } from './data-locations.ts';

/** Null: the platform does not say which. */
const PLACED_ELSEWHERE: Partial<Record<DataLocation, DataLocation | null>> = {
  sam: 'enam',
  afr: null,
  me: null,
};

/** In a sentence, 'Eastern North America' or 'a nearby region'; null if objects are created in the location itself. */
export function placedIn(location: DataLocation): string | null {
  const other = PLACED_ELSEWHERE[location];
  if (other === undefined) return null;
  return other === null ? 'a nearby region' : locationName(other);
}
