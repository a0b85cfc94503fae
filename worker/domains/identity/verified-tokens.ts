/**
 * Cache of verified tokens, so that the next check with the same token needs no cryptography. Each cache belongs to one
 * environment snapshot: when an integration changes or is deleted, the snapshot and its cache are replaced. Only valid
 * tokens are cached, so nobody without a signing key can fill it.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { LEEWAY_MS, type NamedSubject } from '#engine/identity/check-claims';

const MAX_TOKENS = 1_000;
/** Total length of all cached tokens. Tokens are ASCII, so these are bytes too. */
const MAX_CHARACTERS = 1024 * 1024;

/** Weighing each token with at least its share of the characters bounds the number of tokens as well. */
const weightOf = (token: string) => Math.max(token.length, MAX_CHARACTERS / MAX_TOKENS);

export class VerifiedTokens {
  readonly #subjects = new BoundedCache<string, NamedSubject>(MAX_CHARACTERS / 2, weightOf);

  /** Approximate memory: subjects take about three times as much as their tokens. */
  get weight(): number {
    return this.#subjects.weight * 4;
  }

  /** @param now epoch milliseconds */
  get(token: string, now: number): NamedSubject | undefined {
    const subject = this.#subjects.get(token);
    if (subject === undefined || now < subject.expiresAt + LEEWAY_MS) return subject;
    this.#subjects.delete(token);
    return undefined;
  }

  set(token: string, subject: NamedSubject): void {
    this.#subjects.set(token, subject);
  }
}
