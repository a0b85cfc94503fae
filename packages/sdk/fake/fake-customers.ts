/** The customers of the fake server, by identifier. */
import { canonicalOf } from '#contracts/public/identifiers';
import { FakeCustomer } from './fake-customer.ts';

export class FakeCustomers {
  readonly #known = new Map<string, FakeCustomer>();
  readonly #welcome: (customer: FakeCustomer) => void;

  /** @param welcome gives a new customer what it has used before */
  constructor(welcome: (customer: FakeCustomer) => void) {
    this.#welcome = welcome;
  }

  /** @param name however it is written */
  named(name: string): FakeCustomer {
    return this.at(canonicalOf(name));
  }

  /** @param identifier canonical */
  at(identifier: string): FakeCustomer {
    let customer = this.#known.get(identifier);
    if (customer === undefined) {
      customer = new FakeCustomer(identifier);
      this.#known.set(identifier, customer);
      this.#welcome(customer);
    }
    return customer;
  }
}
