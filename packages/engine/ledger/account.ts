/**
 * Accounts of a ledger: one of each customer, and one of each of a customer's entities, such as the members of a team. An entity's account
 * is in its customer's object and is counted, replicated and copied like a customer's.
 */

/** Occurs in no identifier of a customer. `shardOf` stops at it. */
const SEPARATOR = '\0';
/** Of a customer. */
export const MAX_ENTITIES = 10_000;

/**
 * Begins the ids of balances of entities. A ledger tells by it which draws are not the customer's own: usage that they paid for is given back
 * by calls of their entity alone.
 */
export const ENTITY_GRANT = 'bal_m';

export function isOfEntity(grant: string): boolean {
  return grant.startsWith(`${ENTITY_GRANT}_`);
}

/** @param entity undefined: the customer's own account */
export function accountOf(customer: string, entity: string | undefined): string {
  return entity === undefined ? customer : customer + SEPARATOR + entity;
}

/** @returns entity undefined for the customer's own account */
export function readAccount(account: string): {
  readonly customer: string;
  readonly entity: string | undefined;
} {
  const end = account.indexOf(SEPARATOR);
  return end < 0
    ? { customer: account, entity: undefined }
    : { customer: account.slice(0, end), entity: account.slice(end + 1) };
}

/** Accounts of a customer's entities sort from here up to `to`, which is none of them. */
export function entityAccounts(customer: string): { readonly from: string; readonly to: string } {
  return { from: customer + SEPARATOR, to: `${customer}\u0001` };
}
