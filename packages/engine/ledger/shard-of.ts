/** Chooses the ledger object of a customer: FNV-1a with a finalizer, so that identifiers differing in one digit spread out. */

/** @param shards ledger objects per location; never changes for an environment, since all customers would move */
export function shardOf(customer: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < customer.length; index++) {
    hash = Math.imul(hash ^ customer.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
}
