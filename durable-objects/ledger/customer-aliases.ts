/**
 * The identifiers of a ledger that are aliases of a customer, and whether their usage is merged into that customer. See
 * durable-objects/README.md, "Aliases". All writes happen inside the ledger's transaction.
 */
import { accountOf, MAX_ENTITIES, readAccount } from '#engine/ledger/account';
import type { LedgerStore, StoredAlias } from './ledger-store.ts';
import type { OpenCustomer, OpenCustomers } from './open-customers.ts';
import type { ReplicationState } from './replication-state.ts';

/** The customer that an identifier is an alias of; null if it is none, undefined if that is not known. */
export type CustomerOf = (identifier: string) => string | null | undefined;

export class CustomerAliases {
  readonly #store: LedgerStore;
  readonly #state: ReplicationState;
  readonly #customers: OpenCustomers;
  readonly #customerOf: CustomerOf;
  #hasUnmerged = false;

  constructor(store: LedgerStore, state: ReplicationState, customers: OpenCustomers, customerOf: CustomerOf) {
    this.#store = store;
    this.#state = state;
    this.#customers = customers;
    this.#customerOf = customerOf;
    this.recheck();
  }

  /** Usage was counted under an alias and may not be merged into its customer yet. */
  get hasUnmerged(): boolean {
    return this.#hasUnmerged;
  }

  recheck(): void {
    this.#hasUnmerged = this.#state.isStored && this.#store.unmergedAliases(1).length > 0;
  }

  /**
   * Marks an identifier as an alias: everything stored under it is merged into the customer. The first target of an email or a Stripe
   * customer is final, so its usage is never merged into two customers. A user id goes on at each customer that carries it.
   */
  set(identifier: string, target: string): void {
    for (const { account, entity } of this.#accountsOf(identifier))
      this.#set(account, accountOf(target, entity));
  }

  #set(identifier: string, target: string): void {
    const customer = this.#customers.open(identifier);
    const { alias } = customer;
    if (identifier === target || (alias !== null && !isReplaced(alias, target))) return;
    if (!this.#store.hasCustomer(identifier)) return;
    this.#save(customer, {
      identifier,
      target,
      changed: (alias?.changed ?? 0) + 1,
      merged: alias?.merged ?? 0,
    });
  }

  /** An alias that was none for a while is one again: what was counted meanwhile is merged. */
  repeat(identifier: string): void {
    for (const { account } of this.#accountsOf(identifier)) {
      const customer = this.#customers.open(account);
      const { alias } = customer;
      if (alias !== null) this.#save(customer, { ...alias, changed: alias.changed + 1 });
    }
  }

  /** The customer's own, if anything is stored, and those of its entities. */
  #accountsOf(
    identifier: string,
  ): readonly { readonly account: string; readonly entity?: string | undefined }[] {
    const own = { account: identifier };
    if (!this.#store.hasCustomer(identifier)) return [own];
    const entities = this.#store.entityAccounts(identifier, null, MAX_ENTITIES);
    return [own, ...entities.map((account) => ({ account, entity: readAccount(account).entity }))];
  }

  /** The identifier no longer carries the user id, which goes on with everything that is stored under the identifier now. */
  release(identifier: string, userId: string): void {
    if (!this.#store.hasCustomer(identifier)) return;
    for (const { account, entity } of this.#accountsOf(identifier))
      this.#store.saveOnce(account, accountOf(userId, entity));
    this.#hasUnmerged = true;
  }

  /** The customer's decision under the key is final: the name that accepted it, too, reverts its own. */
  overrule(identifier: string, name: string, key: string): void {
    this.#store.saveOnce(identifier, name, key);
    this.#hasUnmerged = true;
  }

  isAlias(identifier: string): boolean {
    return this.#customers.open(identifier).alias !== null;
  }

  /** A peer knows the alias. It is stored with the identifier's next change, which `noteChange` reports. */
  observe(identifier: string, target: string): void {
    const customer = this.#customers.open(identifier);
    customer.alias ??= { identifier, target, changed: 0, merged: 0 };
  }

  /** Schedules a merge if the identifier is, or has just become, an alias. One that is none any more counts for itself. */
  noteChange(identifier: string): void {
    const customer = this.#customers.open(identifier);
    const { alias } = customer;
    const target = this.#customerOf(identifier);
    if (target === null) return;
    if (alias !== null && (target === undefined || !isReplaced(alias, target))) {
      this.#save(customer, { ...alias, changed: alias.changed + 1 });
    } else if (target !== undefined) this.set(identifier, target);
  }

  /** @param merged as it was when the merged records were read */
  saveMerged(merged: StoredAlias): void {
    if (merged.isOnce) {
      this.#store.deleteOnce(merged);
      return;
    }
    const customer = this.#customers.open(merged.identifier);
    const { alias } = customer;
    const upTo = merged.changed;
    if (alias !== null && alias.merged < upTo) this.#save(customer, { ...alias, merged: upTo });
  }

  #save(customer: OpenCustomer, alias: StoredAlias): void {
    customer.alias = alias;
    this.#store.saveAlias(alias);
    this.#hasUnmerged = true;
  }
}

/** Whether the alias is a user id, which is of another customer now. */
function isReplaced({ identifier, target }: StoredAlias, now: string): boolean {
  const { customer } = readAccount(identifier);
  return target !== now && !customer.includes('@') && !customer.startsWith('cus_');
}
