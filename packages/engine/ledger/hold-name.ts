/**
 * The names of holds. A name says which ledger has the hold, so that any isolate can settle it: the data location, the shard, and a part
 * that is unique and cannot be guessed.
 */
import type { Location } from '#contracts/public/locations';

export interface HoldPlace {
  readonly location: Location;
  readonly shard: number;
}

const SEPARATOR = '_';
const SHARD = /^[0-9a-z]{1,4}$/;

/** @param id unique */
export function holdNameOf({ location, shard }: HoldPlace, id: string): string {
  return [location, shard.toString(36), id].join(SEPARATOR);
}

/** @param locations where holds can be @returns null if it is the name of no hold */
export function readHoldName(name: string, locations: readonly Location[]): HoldPlace | null {
  const [first, shard = '', ...id] = name.split(SEPARATOR);
  const location = locations.find((each) => each === first);
  if (location === undefined || !SHARD.test(shard) || id.join('') === '') return null;
  return { location, shard: Number.parseInt(shard, 36) };
}
