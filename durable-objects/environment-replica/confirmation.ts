/**
 * Whether a replica still has the newest snapshot. Publishing may have missed it, so it asks the home replica from time to time while it
 * is in use, behind its answers. See durable-objects/README.md, "Environment replica".
 */
import { RECENT_MS } from '#engine/freshness';

/** So that isolates, which ask every three seconds, have the answer within 30 s of a missed publication. */
const ASK_AFTER_MS = 20_000;
/** Until the next attempt. */
const RETRY_AFTER_MS = 2_000;

export class Confirmation {
  readonly #now: () => number;
  /** Zero in a new instance: the last confirmation is not stored. */
  #confirmedAt = 0;
  #askedAt = 0;
  #hasFailed = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes the turn to ask the home replica. */
  takeTurn(): boolean {
    const now = this.#now();
    const isDue = now - this.#confirmedAt >= ASK_AFTER_MS && now - this.#askedAt >= RETRY_AFTER_MS;
    if (isDue) this.#askedAt = now;
    return isDue;
  }

  succeed(): void {
    this.#confirmedAt = this.#now();
    this.#hasFailed = false;
  }

  fail(): void {
    this.#hasFailed = true;
  }

  /** For longer than a publication may be missed, the home replica has not answered. */
  get isOverdue(): boolean {
    return this.#hasFailed && this.#now() - this.#confirmedAt > RECENT_MS.configuration;
  }
}
