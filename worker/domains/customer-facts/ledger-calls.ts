/**
 * How many calls of ledgers an invocation may still make. Cloudflare allows an invocation 10,000 subrequests, and an
 * organisation can have more than 200,000 ledgers: an environment of an earlier release has 1,024 in each data location.
 */

/** Leaves most of the platform's limit to the other work of an invocation. */
const MAX_CALLS = 1_000;

class LedgerCalls {
  #left = MAX_CALLS;
  #isUsedUp = false;

  /** Whether something did not fit. */
  get isUsedUp(): boolean {
    return this.#isUsedUp;
  }

  /** Takes the calls if they fit. The first always fit, so that any work makes progress. */
  take(calls: number): boolean {
    const fits = calls <= this.#left || this.#left === MAX_CALLS;
    if (fits) this.#left -= calls;
    else this.#isUsedUp = true;
    return fits;
  }

  /** The items up to the first that does not fit, and the others. */
  split<Item>(items: readonly Item[], callsOf: (item: Item) => number): readonly [Item[], Item[]] {
    const misfit = items.findIndex((item) => !this.take(callsOf(item)));
    const end = misfit === -1 ? items.length : misfit;
    return [items.slice(0, end), items.slice(end)];
  }
}

const known = new WeakMap<object, LedgerCalls>();

/** @param ctx of one invocation */
export function ledgerCallsOf(ctx: object): LedgerCalls {
  let calls = known.get(ctx);
  if (calls === undefined) {
    calls = new LedgerCalls();
    known.set(ctx, calls);
  }
  return calls;
}
