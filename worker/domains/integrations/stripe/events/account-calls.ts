/**
 * The calls to Stripe that some events of one account need: a few at the same time, the others in turn. After a call that failed
 * because of the whole account, the others are not made.
 */
import { isOfAccount } from '../integration/connection-error.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';

/** A call before this one showed that the account does not answer for now. */
export class AccountWaits extends Error {
  override readonly name = 'AccountWaits';
}

export class AccountCalls {
  #free: number;
  #isWaiting = false;
  readonly #turns: (() => void)[] = [];

  /** @param atOnce calls that may be under way at the same time */
  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** @throws {AccountWaits} and what the call throws */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#turns.push(resolve));
    try {
      if (this.#isWaiting) throw new AccountWaits();
      return await call();
    } catch (error) {
      const failure = stripeFailureOf(error);
      if (failure !== null && isOfAccount(failure)) this.#isWaiting = true;
      throw error;
    } finally {
      const next = this.#turns.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
