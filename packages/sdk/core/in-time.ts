/** Every wait of the package ends here: with its result, at its deadline, or when its caller gives up. */
import type { TesseraError } from '../index.ts';
import { RaisedError } from './error.ts';

/** The timer keeps Node alive, because somebody awaits it. */
export function inTime<Result>(work: Promise<Result>, ms: number, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      reject(
        signal?.aborted
          ? new RaisedError('aborted', 'Caller gave up')
          : new RaisedError('timeout', `No answer within ${ms} ms`),
      );
    const timer = setTimeout(giveUp, ms);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
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

/**
 * Full jitter on a pause that doubles with each try, after what the server asks for, at most an hour: an allowance that is used up asks for
 * the rest of the month.
 */
export function pauseMs(tries: number, { retryAfterMs }: TesseraError, maxMs: number): number {
  return Math.min(retryAfterMs ?? 0, 3_600_000) + Math.random() * Math.min(maxMs, 250 * 2 ** tries);
}
