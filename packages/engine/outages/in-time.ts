/**
 * An end for every wait. A remote call that does not answer is an outage like one that fails, but nobody learns of it: so each call
 * gets an end, after which it counts as silent. Whatever it still answers later is dropped.
 */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls once, later. @returns cancels it */
  after(ms: number, call: () => void): () => void;
}

/** The call did not answer before its end. It may have had its effect, or still have it. */
export class SilentError extends Error {
  override readonly name = 'SilentError';
}

/**
 * @param who begins the error's message
 * @throws {SilentError} after `ms` without an answer
 */
export function inTime<Answer>(
  clock: Clock,
  ms: number,
  who: string,
  answer: PromiseLike<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new SilentError(`${who} did not answer in ${ms} ms`)));
    answer.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
