/**
 * Origins of usage that was counted under an alias of a customer. The customer's ledger stores it under an origin made
 * of the counting origin and the alias, and, where an alias has aliases of its own, of each in turn. Every location derives the same name,
 * so merging the same usage twice is harmless.
 */

/** Occurs in no origin that a ledger generates. */
const SEPARATOR = '~';

/** @param identifier the alias under which the usage was counted */
export function aliasOrigin(origin: string, identifier: string): string {
  return `${origin}${SEPARATOR}${identifier}`;
}

/** Whether the usage was counted under this identifier, or came to its customer by it. */
export function isFrom(origin: string, identifier: string): boolean {
  return `${origin}${SEPARATOR}`.includes(`${SEPARATOR}${identifier}${SEPARATOR}`);
}

export function isAliasOrigin(origin: string): boolean {
  return origin.includes(SEPARATOR);
}
