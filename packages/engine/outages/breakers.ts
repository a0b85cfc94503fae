/**
 * Which remote objects are left alone for now. After a few failures in a row, silence and overload included, an object is called by one
 * caller a second only, until it answers. So an outage costs its wait once and not in every call, and an overloaded object gets the rest
 * that it needs. An object that answers takes no entry.
 */
import { BoundedCache } from '../cache/bounded-cache.ts';

/** Failures in a row that open the breaker: one slow or failed call is ordinary. */
const OPEN_AFTER = 3;
/** While open, how long until the next probe. */
const PROBE_PAUSE_MS = 1_000;
const MAX_FAILING = 10_000;

interface Failing {
  failures: number;
  isOverloaded: boolean;
  probeAt: number;
}

/** The object was not called, because it failed too often before. */
export class BreakerOpenError extends Error {
  override readonly name = 'BreakerOpenError';
  /** As the platform marks an object's own error. */
  readonly overloaded: boolean;

  constructor(who: string, isOverloaded: boolean) {
    super(`${who} is not called, since it has failed before`);
    this.overloaded = isOverloaded;
  }
}

/** The platform marks the errors of an object that has too many calls. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && 'overloaded' in error && error.overloaded === true;
}

/** Of one kind of object, by name. */
export class Breakers {
  readonly #failing = new BoundedCache<string, Failing>(MAX_FAILING / 2);

  /** @throws {BreakerOpenError} if the object must not be called now. Otherwise call it, and report how the call ended. */
  ensureClosed(name: string, now: number): void {
    if (this.#failing.size === 0) return;
    const failing = this.#failing.get(name);
    if (failing === undefined || failing.failures < OPEN_AFTER) return;
    if (now < failing.probeAt) throw new BreakerOpenError(name, failing.isOverloaded);
    failing.probeAt = now + PROBE_PAUSE_MS;
  }

  succeed(name: string): void {
    if (this.#failing.size > 0) this.#failing.delete(name);
  }

  /** @param error what the call threw, or that it was silent */
  fail(name: string, error: unknown, now: number): void {
    if (error instanceof BreakerOpenError) return;
    const failures = (this.#failing.get(name)?.failures ?? 0) + 1;
    this.#failing.set(name, {
      failures,
      isOverloaded: isOverloaded(error),
      probeAt: now + PROBE_PAUSE_MS,
    });
  }
}
