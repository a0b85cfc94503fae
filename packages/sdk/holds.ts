/**
 * Holds: an amount of a meter that is taken before it is used, and settled with what was used. For servers: holding needs a secret key.
 * Everything public of this entry is declared here.
 */
import { openHoldOf } from './core/open-hold.ts';
import type { Identified, Meter, Path, Tessera } from './index.ts';

declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export interface HoldOptions {
  readonly on: Identified;
  /** In the unit that the meter counts: a whole number. */
  readonly amount: number;
  /** Holds what is left, at least 1, if that is less than the amount. `hold.amount` says how much. */
  readonly orLess?: boolean | undefined;
  /** How long it lasts without another call: 1,000 to 3,600,000. Default 120,000. */
  readonly lastsMs?: number | undefined;
  /** Default: one of its own, so that a call whose answer is lost holds once. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RefusedHold {
  readonly accepted: false;
  /** `limit-reached`, `not-in-plan`, or what a newer server may say. */
  readonly reason: 'limit-reached' | 'not-in-plan' | (string & {});
  /** Whose limit is reached, where plans limit each member; null: nobody’s, or the customer’s only. */
  readonly limitOf: 'customer' | 'entity' | null;
  readonly meter: Meter;
  /** What the meter is paid with, and what is left of it; null: it costs nothing. */
  readonly costs: { readonly path: string; readonly remaining: number } | null;
  [Symbol.asyncDispose](): Promise<void>;
}

/** One that nobody settles ends by itself, and has cost nothing. */
export interface Hold {
  readonly accepted: true;
  readonly id: string;
  /** How much is held in all. */
  readonly amount: number;
  /** When it ends by itself. */
  readonly expiresAt: Date;
  /** After the last call about the hold. */
  readonly meter: Meter;
  /** What `use` has added up. */
  readonly used: number;
  /** Adds to what was used, without a call. @throws {TesseraError} invalid-request, unless it is a whole number of an open hold */
  use(amount: number): void;
  /**
   * Holds more, or for longer.
   * @returns false if the amount does not fit: the hold stays as it was
   * @throws {TesseraError} conflict if the hold has ended
   */
  extend(options?: {
    /** In addition. Default 0. */
    readonly amount?: number | undefined;
    /** From now. Default 120,000. */
    readonly lastsMs?: number | undefined;
    readonly idempotencyKey?: string | undefined;
  }): Promise<boolean>;
  /**
   * Ends the hold with what was used: the rest is free again. Also after its end, for a day.
   * @param amount default: what `use` has added up
   * @throws {TesseraError} conflict if it is settled with another amount. Without an answer in time it rejects, and is tried for 24 hours
   */
  settle(
    amount?: number,
    options?: {
      /** If more was used than is held: all counts, only the hold does, or nothing changes. Default `overflow`. */
      readonly onExcess?: 'overflow' | 'cap' | 'reject' | undefined;
    },
  ): Promise<Settled>;
  /** Ends the hold: nothing was used. */
  release(): Promise<Settled>;
  /** Settles with what `use` has added up, unless the hold is settled. Never rejects. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Settled {
  /** False with `reject`, if more was used than is held. */
  readonly accepted: boolean;
  /** What counts as used. */
  readonly applied: number;
  readonly released: number;
  /** What of it counts beyond the limit and all balances. */
  readonly overage: number;
  /** Afterwards. */
  readonly meter: Meter;
}

/**
 * Holds an amount of a meter, if it fits the limit: `await using hold = await openHold(tessera, 'ai-calls.credits', { on, amount: 4_000 })`.
 * @param tessera of `createTessera`
 * @throws {TesseraError} if the API refuses the call, or cannot be reached within twice `timeoutMs`
 */
export function openHold(
  tessera: Tessera,
  meter: Path<Meter>,
  options: HoldOptions,
): Promise<Hold | RefusedHold> {
  return openHoldOf(tessera, meter, options);
}
