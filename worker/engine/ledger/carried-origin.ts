/**
 * What was counted under another name of a customer stands with the customer under an origin of its own, made of the
 * origin and the name: the same everywhere, so that it may be brought by several and more than once.
 */

/** No ledger's own origin has it. */
const MARK = '~';

/** @param identifier the other name, under which it was counted */
export function carriedOrigin(origin: string, identifier: string): string {
  return `${origin}${MARK}${identifier}`;
}

export function isCarried(origin: string): boolean {
  return origin.includes(MARK);
}
