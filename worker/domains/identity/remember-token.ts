/**
 * Tokens that were verified, so that the next check of the same subject waits for no cryptography. The memory belongs to
 * one snapshot and goes with it: a token is forgotten when its integration changes or is deleted, and when it expires.
 * Only good tokens are kept, so nobody without a key can fill it.
 */
import { LEEWAY_MS, type NamedSubject } from './check-claims.ts';

const MAX_TOKENS = 1_000;
/** Of all tokens together; they are ASCII, so also octets. */
const MAX_CHARACTERS = 1024 * 1024;

export class KnownTokens {
  readonly #subjects = new Map<string, NamedSubject>();
  #characters = 0;

  /** @param now epoch milliseconds */
  find(token: string, now: number): NamedSubject | undefined {
    const subject = this.#subjects.get(token);
    if (subject === undefined) return undefined;
    if (now < subject.expiresAt + LEEWAY_MS) return subject;
    this.#subjects.delete(token);
    this.#characters -= token.length;
    return undefined;
  }

  remember(token: string, subject: NamedSubject): void {
    if (this.#subjects.has(token)) return;
    if (this.#subjects.size >= MAX_TOKENS || this.#characters + token.length > MAX_CHARACTERS) {
      this.#subjects.clear();
      this.#characters = 0;
    }
    this.#subjects.set(token, subject);
    this.#characters += token.length;
  }
}
