/**
 * Holds of a random history: a plain list of what each has counted and when. Holds with an idempotency key are made like other updates, may
 * be retried in another location, and end by the clock only.
 */
import { expect } from 'vitest';
import type { CounterUpdate, UpdateOutcome } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { SETTLED_WITHIN_MS } from '#engine/ledger/holds';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import type { Decision } from './usage-account.ts';

type Decided = Extract<UpdateOutcome, { kind: 'decided' }>;

interface Part {
  readonly at: number;
  amount: number;
}

interface KnownHold {
  readonly customer: string;
  readonly location: Location;
  readonly name: string;
  amount: number;
  expiresAt: number;
  parts: Part[];
  settled: number | null;
  readonly also: CounterUpdate['also'];
}

/** What the history does next with a hold. */
export interface HoldStep {
  readonly customer: string;
  /** Null: wherever. */
  readonly location: Location | null;
  readonly update: Pick<CounterUpdate, 'by' | 'hold' | 'enforce' | 'also'>;
  /** Call with its outcome. */
  observe(outcome: UpdateOutcome, at: Location, now: number): void;
}

const LASTS_MS = [1_000, 120_000, 3_600_000];

export class HoldHistory {
  readonly #random: Random;
  readonly #someAlso: () => CounterUpdate['also'];
  readonly #holds: KnownHold[] = [];
  #made = 0;

  /** @param someAlso what a hold also holds */
  constructor(seed: number, someAlso: () => CounterUpdate['also'] = () => undefined) {
    this.#random = randomFrom(seed + 0.5);
    this.#someAlso = someAlso;
  }

  /** How many were settled or extended. */
  changed = 0;

  /** In about a third of the steps. */
  next(customers: readonly string[], now: number): HoldStep | null {
    const { next, below, pick } = this.#random;
    const dice = next();
    if (dice < 0.14) return this.#open(pick(customers));
    const lasting = this.#holds.filter(({ expiresAt }) => now < expiresAt + SETTLED_WITHIN_MS);
    if (dice > 0.35 || lasting.length === 0) return null;
    const hold = pick(lasting);
    return dice < 0.2 ? this.#extend(hold, below(4), pick(LASTS_MS)) : this.#settle(hold, below(9));
  }

  /** Settles most of those that can be settled, once all faults are over. */
  settleAll(now: number): readonly HoldStep[] {
    const { below, next } = this.#random;
    return this.#holds
      .filter(({ settled, expiresAt }) => settled === null && now < expiresAt + SETTLED_WITHIN_MS)
      .filter(() => next() < 0.7)
      .map((hold) => {
        const step = this.#settle(hold, below(9));
        return {
          ...step,
          observe: (outcome, at, then) => {
            expect(outcome, `the settlement of ${hold.name}`).toMatchObject({ kind: 'decided' });
            step.observe(outcome, at, then);
          },
        };
      });
  }

  #open(customer: string): HoldStep {
    const { below, pick, next } = this.#random;
    this.#made += 1;
    const lastsMs = pick(LASTS_MS);
    const hold = { kind: 'open', id: `hold-${this.#made}`, lastsMs, orLess: next() < 0.5 } as const;
    const also = this.#someAlso();
    return {
      customer,
      location: null,
      update: { by: 1 + below(6), hold, enforce: true, also },
      observe: (outcome, location, now) => {
        const { accepted, hold: made } = decidedOf(outcome);
        if (!accepted || made === undefined) return;
        const { name, amount, expiresAt } = made;
        const parts = [{ at: now, amount }];
        this.#holds.push({ customer, location, name, amount, expiresAt, parts, settled: null, also });
      },
    };
  }

  #extend(hold: KnownHold, by: number, lastsMs: number): HoldStep {
    const { customer, location, name, also } = hold;
    return {
      customer,
      location,
      update: { by, hold: { kind: 'extend', name, lastsMs, key: null }, enforce: true, also },
      observe: (outcome, _, now) => {
        if (isElsewhere(outcome)) return;
        if (hold.settled !== null || hold.expiresAt <= now) {
          expect(outcome).toMatchObject({ kind: 'hold-refused', why: 'over' });
          return;
        }
        if (!decidedOf(outcome).accepted) return;
        this.changed += 1;
        hold.amount += by;
        hold.parts.push({ at: now, amount: by });
        hold.expiresAt = Math.max(hold.expiresAt, now + lastsMs);
      },
    };
  }

  #settle(hold: KnownHold, by: number): HoldStep {
    const { customer, location, name, also } = hold;
    return {
      customer,
      location,
      update: { by, hold: { kind: 'settle', name, onExcess: 'overflow' }, enforce: false, also },
      observe: (outcome, _, now) => {
        if (isElsewhere(outcome)) return;
        if (hold.settled !== null) {
          if (hold.settled === by) expect(outcome).toMatchObject({ replayed: true, applied: by });
          else expect(outcome).toMatchObject({ kind: 'hold-refused', why: 'settled' });
          return;
        }
        expect(decidedOf(outcome).applied).toBe(by);
        this.changed += 1;
        hold.settled = by;
        if (hold.expiresAt <= now) hold.parts = [];
        let rest = by;
        for (const part of hold.parts) {
          part.amount = Math.min(part.amount, rest);
          rest -= part.amount;
        }
        hold.parts.push({ at: now, amount: rest });
      },
    };
  }

  /**
   * What the customer's holds have counted that is used or, until their end, held.
   * @param timesOf how much of an account and meter a hold counts for each one
   */
  countedAt(
    customer: string,
    now: number,
    timesOf: TimesOf = once,
  ): readonly Pick<Decision, 'outcome' | 'update'>[] {
    return this.#partsOf(customer, timesOf, (hold) => hold.settled !== null || hold.expiresAt > now).map(
      ({ at, amount }) => ({ outcome: { at, applied: amount } as Decided, update: {} as never }),
    );
  }

  /** Held by then. */
  heldAt(customer: string, now: number, timesOf: TimesOf = once): readonly Part[] {
    return this.#partsOf(customer, timesOf, (hold) => hold.settled === null && hold.expiresAt > now);
  }

  #partsOf(customer: string, timesOf: TimesOf, isMeant: (hold: KnownHold) => boolean): Part[] {
    return this.#holds
      .filter((hold) => hold.customer === customer && isMeant(hold))
      .flatMap(({ parts, also }) => {
        const times = timesOf(also);
        return times === 0 ? [] : parts.map(({ at, amount }) => ({ at, amount: amount * times }));
      });
  }
}

type TimesOf = (also: CounterUpdate['also']) => number;
const once = () => 1;

function decidedOf(outcome: UpdateOutcome): Decided {
  if (outcome.kind !== 'decided') throw new Error(`Not decided: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** A location that was enabled again has not copied the customer yet, or the home location does not know that the other has retired. */
function isElsewhere(outcome: UpdateOutcome): boolean {
  return outcome.kind === 'hold-refused' && (outcome.why === 'unknown' || outcome.why === 'away');
}
