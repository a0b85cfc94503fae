/** Chooses the ledger object of a customer: FNV-1a with a finalizer, so that identifiers differing in one digit spread out. */

/** Between a customer and one of its entities, whose account is in the customer's object. No identifier has it. */
const ENTITY_SEPARATOR = 0;

/**
 * @param customer canonical identifier, or that of an account of an entity: the customer, a zero and the entity
 * @param shards ledger objects per location; never changes for an environment, since all customers would move
 */
export function shardOf(customer: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < customer.length; index++) {
    const unit = customer.charCodeAt(index);
    if (unit === ENTITY_SEPARATOR) break;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
}
