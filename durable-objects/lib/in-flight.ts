/** Work of an alarm for one receiver, of which there is one at a time. A receiver that is silent delays nobody else, and not the next alarm. */
import type { Pauses } from '#engine/back-off';

/** After failed calls of another object. */
export const CALL_PAUSES_MS: Pauses = { first: 500, longest: 60_000 };
/** When to look again at work that is under way. */
export const LOOK_AGAIN_MS = 1_000;

export class InFlight<Receiver, Result> {
  readonly #work = new Map<Receiver, Promise<Result>>();

  has(receiver: Receiver): boolean {
    return this.#work.has(receiver);
  }

  /** The work under way for the receiver, or new work. */
  run(receiver: Receiver, work: () => Promise<Result>): Promise<Result> {
    const known = this.#work.get(receiver);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#work.delete(receiver));
    this.#work.set(receiver, begun);
    return begun;
  }
}
