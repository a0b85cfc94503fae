/**
 * What a location may take of limits and grants while another one is silent. Locations that cannot hear each other would each take all that
 * is left. So from the first decision in an outage on, each takes at most its part of what was left then: together no more than there is,
 * beside what was on its way. A customer can be refused early, and the answer says that usage may be incomplete.
 */
import { BoundedCache } from '../cache/bounded-cache.ts';

/** What a decision takes from. */
export interface ShareOf {
  readonly customer: string;
  readonly propertyId: string;
  /** A grant's id, or `overage`; null: the quota. */
  readonly grant: string | null;
  /** When the quota's window ends, also of overage: the next one has a share of its own. */
  readonly until: number | null;
}

/** Shares in memory: more than an outage of one ledger meets, and a few megabytes. */
const MAX_SHARES = 40_000;

export class OutageShares {
  readonly #locations: number;
  readonly #left = new BoundedCache<string, number>(MAX_SHARES / 2);

  /** What the transaction has changed, as it was; undefined: nothing was known. */
  readonly #before = new Map<string, number | undefined>();

  /** @param locations that take at the same time, this one among them */
  constructor(locations: number) {
    this.#locations = locations;
  }

  /** @param remaining as far as this location knows @returns at most that */
  leftOf(of: ShareOf, remaining: number): number {
    const name = nameOf(of);
    let left = this.#left.get(name);
    if (left === undefined) {
      left = Math.floor(Math.max(0, remaining) / this.#locations);
      this.#set(name, left);
    }
    return Math.min(remaining, left);
  }

  /** After `leftOf`. @param amount negative: given back @returns what is beyond the share */
  take(of: ShareOf, amount: number): number {
    const name = nameOf(of);
    const left = this.#left.get(name);
    if (left === undefined) return 0;
    this.#set(name, Math.max(0, left - amount));
    return Math.max(0, amount - left);
  }

  /** What has changed since the last call is stored. */
  keep(): void {
    if (this.#before.size > 0) this.#before.clear();
  }

  /** It is not. */
  restore(): void {
    for (const [name, left] of this.#before) {
      if (left === undefined) this.#left.delete(name);
      else this.#left.set(name, left);
    }
    this.#before.clear();
  }

  #set(name: string, left: number): void {
    if (!this.#before.has(name)) this.#before.set(name, this.#left.get(name));
    this.#left.set(name, left);
  }
}

function nameOf({ customer, propertyId, grant, until }: ShareOf): string {
  return `${propertyId} ${grant ?? ''} ${until ?? ''} ${customer}`;
}
