/**
 * The names of holds. A name says which ledger has the hold, so that any isolate can settle it: the data location, the shard and the number
 * of the customer there, and a part that is unique and cannot be guessed.
 */
import type { Location } from '#contracts/public/locations';

export interface HoldPlace {
  readonly location: Location;
  readonly shard: number;
  /** The customer's number in the ledger that made the hold. */
  readonly customer: number;
}

const SEPARATOR = '_';
const NUMBER = /^[0-9a-z]{1,10}$/;

/** @param id unique */
export function holdNameOf({ location, shard, customer }: HoldPlace, id: string): string {
  return [location, shard.toString(36), customer.toString(36), id].join(SEPARATOR);
}

/** @param locations where holds can be @returns null if it is the name of no hold */
export function readHoldName(name: string, locations: readonly Location[]): HoldPlace | null {
  const [first, shard = '', customer = '', ...id] = name.split(SEPARATOR);
  const location = locations.find((each) => each === first);
  if (location === undefined || !NUMBER.test(shard) || !NUMBER.test(customer) || id.join('') === '')
    return null;
  return { location, shard: Number.parseInt(shard, 36), customer: Number.parseInt(customer, 36) };
}
