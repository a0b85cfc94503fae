/** Registers that ledgers write in a random history, as last committed. */
import { expect } from 'vitest';
import type { Register } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import type { LedgerStore } from '#objects/ledger/ledger-store';
import type { LocalLedger } from '#objects/ledger/local-ledger';
import { Crash } from './ledger-memory-store.ts';

const DAY = 24 * 3_600_000;

export class RegisterHistory {
  readonly #random: Random;
  /** Per origin. */
  readonly #written = new Map<string, Register & { readonly customer: string }>();

  constructor(seed: number) {
    this.#random = randomFrom(-seed);
  }

  /** In about a third of the steps: in which location, for whom, and whether the transaction fails after its last write. */
  next(locations: readonly Location[], customers: readonly string[]) {
    if (this.#random.next() >= 0.3) return null;
    const location = this.#random.pick(locations);
    return { location, customer: this.#random.pick(customers), crashes: this.#random.next() < 0.1 };
  }

  /** Opens, changes or closes one, after `observe`. */
  write(ledger: LocalLedger, customer: string, now: number, observe: () => void): void {
    const { pick, below, next } = this.#random;
    try {
      const written = ledger.commit((): Register => {
        observe();
        const register = {
          kind: pick(['hold', 'unknown']),
          name: pick(['a', 'b', 'c']),
          origin: ledger.state.liveOrigin(),
          stamp: now,
          isOpen: next() < 0.5,
          until: now + Math.floor((1 + next()) * DAY),
          body: JSON.stringify(below(1000)),
          version: ledger.state.nextVersion(),
        };
        ledger.store.putRegister(customer, register, register.version);
        return register;
      });
      const { kind, name, origin } = written;
      this.#written.set(JSON.stringify([customer, kind, name, origin]), { ...written, customer });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  /** All stores have each, as last written, unless it is not open and its time has passed. */
  check(stores: ReadonlyMap<Location, LedgerStore>, now: number): void {
    for (const { customer, ...written } of this.#written.values()) {
      for (const [location, store] of stores) {
        const found = store.findRegisters(customer, written).find(({ origin }) => origin === written.origin);
        if (found === undefined && !written.isOpen && written.until < now) continue;
        expect(found, `${location} has the register of ${customer}`).toEqual(written);
      }
    }
  }
}
