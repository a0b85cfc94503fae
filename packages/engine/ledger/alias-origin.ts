/**
 * Origins of usage that was counted under another name of a customer. The customer's ledger stores it under an origin made of the counting
 * origin and the name that it was counted under, whichever names it came by. Every location derives the same, so usage that comes twice, or
 * by two ways, counts once.
 */

/** Occurs in no origin that a ledger generates. */
const SEPARATOR = '~';

/** @param identifier the name whose ledger stores the usage under `origin` */
export function aliasOrigin(origin: string, identifier: string): string {
  return isAliasOrigin(origin) ? origin : `${origin}${SEPARATOR}${identifier}`;
}

/** Whether the usage was counted under this identifier, and came to the ledger's customer from there. */
export function isFrom(origin: string, identifier: string): boolean {
  return nameOf(origin) === identifier;
}

/** The name that the usage was counted under; null for the ledger's customer itself. */
export function nameOf(origin: string): string | null {
  return isAliasOrigin(origin) ? origin.slice(origin.indexOf(SEPARATOR) + 1) : null;
}

export function isAliasOrigin(origin: string): boolean {
  return origin.includes(SEPARATOR);
}
