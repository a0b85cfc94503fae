/** Every wait of the package ends here: with its result, at its deadline, or when its caller gives up. */
import type { TesseraError } from '../index.ts';
import { RaisedError } from './error.ts';

/** The timer keeps Node alive, because somebody awaits it. @param onEnd called if the work did not end in time */
export function inTime<Result>(
  work: Promise<Result>,
  ms: number,
  signal?: AbortSignal,
  onEnd?: () => unknown,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (type: string, message: string) => {
      reject(new RaisedError(type, message));
      onEnd?.();
    };
    const abort = () => giveUp('aborted', 'The caller gave up');
    const timer = setTimeout(giveUp, ms, 'timeout', `No answer within ${ms} ms`);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  });
}

/** @param isAwaited otherwise it does not keep Node alive */
export function pause(ms: number, isAwaited = true): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms) as { unref?: () => void };
    if (!isAwaited) timer.unref?.();
  });
}

/** The longest pause that a server may ask for: an allowance that is used up asks for the rest of the month. */
const MAX_ASKED_MS = 3_600_000;

/** Full jitter on a pause that doubles with each try, after what the server asks for. */
export function pauseMs(tries: number, { retryAfterMs }: TesseraError, maxMs: number): number {
  const askedMs = Math.max(0, Math.min(retryAfterMs ?? 0, MAX_ASKED_MS));
  return askedMs + Math.random() * Math.min(maxMs, 250 * 2 ** tries);
}
