/** Registers that ledgers write in a random history, as last committed. */
import type { Register } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import type { LedgerStore } from '#objects/ledger/ledger-store';
import type { LocalLedger } from '#objects/ledger/local-ledger';
import { expectSame } from './expect-same.ts';
import { Crash } from './ledger-memory-store.ts';

const DAY = 24 * 3_600_000;

export class RegisterHistory {
  readonly #random: Random;
  /** Per origin. `isOver`: another origin has closed the name since, so that a ledger may no longer take it for open. */
  readonly #written = new Map<
    string,
    { readonly customer: string; readonly register: Register; isOver: boolean }
  >();

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
          kind: pick(['price', 'unknown']),
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
      const { kind, name, origin, stamp, isOpen } = written;
      for (const each of this.#written.values()) {
        const { register } = each;
        const isSame = each.customer === customer && register.kind === kind && register.name === name;
        if (isSame && !isOpen && register.stamp < stamp) each.isOver = true;
      }
      const place = JSON.stringify([customer, kind, name, origin]);
      this.#written.set(place, { customer, register: written, isOver: false });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  /** All stores have each, as last written, unless it is not open and its time has passed. */
  check(stores: ReadonlyMap<Location, LedgerStore>, now: number): void {
    for (const { customer, register, isOver } of this.#written.values()) {
      for (const [location, store] of stores) {
        const found = store
          .findRegisters(customer, register)
          .find(({ origin }) => origin === register.origin);
        if (found === undefined && (isOver || !register.isOpen) && register.until < now) continue;
        const isOpen = isOver ? found?.isOpen : register.isOpen;
        expectSame(found, { ...register, isOpen }, `${location} has the register of ${customer}`);
      }
    }
  }
}
