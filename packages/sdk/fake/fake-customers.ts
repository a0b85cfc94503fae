/** The customers of the fake server, by identifier and alias. */
import { canonicalOf } from '#contracts/public/identifiers';
import type { Periods } from '#engine/ledger/periods';
import { FakeCustomer } from './fake-customer.ts';

export class FakeCustomers {
  readonly #known = new Map<string, FakeCustomer>();
  readonly #welcome: (customer: FakeCustomer) => void;
  readonly #newPeriods: () => Periods | null;

  /** @param welcome gives a new customer what it has used before @param newPeriods of meters that roll over */
  constructor(welcome: (customer: FakeCustomer) => void, newPeriods: () => Periods | null = () => null) {
    this.#welcome = welcome;
    this.#newPeriods = newPeriods;
  }

  /** One that no call knows yet. */
  create(identifier: string): FakeCustomer {
    return new FakeCustomer(identifier, this.#newPeriods());
  }

  /** @param name however it is written */
  named(name: string): FakeCustomer {
    return this.at(canonicalOf(name));
  }

  /** @param identifier canonical, or an alias */
  at(identifier: string): FakeCustomer {
    let customer = this.#known.get(identifier);
    if (customer === undefined) {
      customer = this.create(identifier);
      this.#known.set(identifier, customer);
      this.#welcome(customer);
    }
    return customer;
  }

  /** @param identifier canonical, or an alias @returns undefined for one that no call has named */
  find(identifier: string): FakeCustomer | undefined {
    return this.#known.get(identifier);
  }

  /** Who has a hold. */
  holding(name: string): FakeCustomer | undefined {
    for (const customer of this.#known.values()) if (customer.hold(name) !== null) return customer;
    return undefined;
  }

  /**
   * Adds or renames a customer. What an alias had is the customer's.
   * @param former aliases, which name nobody from now on
   */
  add(customer: FakeCustomer, former: readonly Alias[], aliases: readonly Alias[]): void {
    for (const alias of former) if (alias) this.#known.delete(alias);
    for (const alias of [customer.identifier, ...aliases]) {
      if (!alias) continue;
      const before = this.#known.get(alias);
      if (before !== undefined && before !== customer) customer.absorb(before);
      this.#known.set(alias, customer);
    }
  }
}

type Alias = string | null | undefined;
