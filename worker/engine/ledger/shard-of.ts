/** Which of an environment's ledger objects holds a customer: by a hash that spreads even names that differ in one digit. */

/** @param shards how many there are; fixed for the life of an environment, since another number finds nothing */
export function shardOf(customer: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < customer.length; index++) {
    hash = Math.imul(hash ^ customer.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
}
