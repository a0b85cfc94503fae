/**
 * Checks of subjects, and whether the API answers them. Those of one tick go in one call, as a list or a page asks them. After three failures
 * in a row, or one refusal of the key, only one call at a time tries.
 */
import type { TesseraError } from '../index.ts';
import type { Api } from './api.ts';
import { nextBatch, resultsOf } from './batches.ts';
import { BATCH, CHECKS, type Received } from './call-api.ts';
import { elapsedMs } from './clock.ts';
import { failureOf } from './counted-update.ts';
import { isKeyRefused, isPassing } from './error.ts';
import { pause, pauseMs } from './in-time.ts';

export type Checked = Pick<Received, 'body' | 'at' | 'length'>;

interface Body {
  /** Then its call is for it alone. */
  readonly consume?: object;
  readonly [field: string]: unknown;
}

export interface Checks {
  /**
   * Asks once more if that may help, unless something else can be used.
   * @throws {TesseraError} at once while the API is down
   */
  ask(body: Body, hasStale: boolean): Promise<Checked>;
  /** Whether the API is taken for unreachable: not where it refuses the key. */
  isDown(): boolean;
  /** Whether it may be asked. */
  isPaused(): boolean;
}

interface Asked {
  readonly body: Body;
  readonly hasStale: boolean;
  resolve(checked: Checked): void;
  reject(error: TesseraError): void;
}

const FAILURES = 3;
const MAX_PAUSE_MS = 30_000;

export function openChecks(api: Api): Checks {
  const waiting: Asked[] = [];
  /** Of a call. 1: the server's release is earlier than batches, or its answers are too large together. */
  let maxChecks: number | undefined;
  let failures = 0;
  /** By `elapsedMs`. */
  let pausedUntil = 0;
  let last: TesseraError;
  let hasSucceeded = false;

  const isPaused = () => elapsedMs() < pausedUntil;

  function sendWaiting(): void {
    while (waiting[0]) void send(waiting.splice(0, nextBatch(waiting, ({ body }) => body, maxChecks).length));
  }

  /** Never rejects. What may succeed later is tried once more, without the others. */
  async function send(asked: readonly Asked[], isRetry = false): Promise<void> {
    let left = asked;
    const rejectLeft = (error: TesseraError) => {
      for (const { reject } of left) reject(error);
    };
    // Why the call before failed.
    if (isPaused()) return rejectLeft(last);
    // While one call tries whether the API is back, others do not wait for it.
    if (failures >= FAILURES) pausedUntil = elapsedMs() + api.timeoutMs;
    let error: TesseraError | undefined;
    try {
      const checks = asked.map(({ body }) => body);
      const isBatch = checks.length > 1;
      const received = await (isBatch ? api.post(BATCH, { checks }) : api.post(CHECKS, checks[0] as Body));
      const results = isBatch ? resultsOf(received, checks.length) : [received.body];
      failures = pausedUntil = 0;
      hasSucceeded = true;
      left = asked.filter(({ resolve, reject }, index) => {
        const failure = isBatch && failureOf(results[index]);
        if (!failure) {
          const body = results[index] as Checked['body'];
          resolve({ ...received, body, length: received.length / checks.length });
        } else if (isPassing(failure)) error = failure;
        else reject(failure);
        return failure && failure === error;
      });
    } catch (thrown) {
      error = thrown as TesseraError;
    }
    if (!error) return;
    const { status, type, requestId } = error;
    if (left[1] && (status === 404 || (type === 'server-error' && !requestId))) {
      maxChecks = 1;
      waiting.push(...left);
      return sendWaiting();
    }
    if (isPassing(error) || isKeyRefused(error)) {
      fail(error);
      const waitMs = pauseMs(0, error, 250);
      if (!isRetry && waitMs <= 1_000 && !isPaused() && left.some(({ hasStale }) => !hasStale)) {
        api.emit({ type: 'retry', error });
        await pause(waitMs);
        return send(left, true);
      }
    }
    rejectLeft(error);
  }

  function fail(error: TesseraError): void {
    last = error;
    // A key that is refused is refused the next time, too.
    failures = Math.max(failures + 1, isKeyRefused(error) ? FAILURES : 0);
    // Rate-limited, or usage-blocked.
    if (/^(ra|us)/.test(error.type))
      pausedUntil = elapsedMs() + Math.min(error.retryAfterMs ?? 1_000, 60_000);
    else if (failures >= FAILURES) {
      pausedUntil = elapsedMs() + 100 + pauseMs(failures - FAILURES, error, MAX_PAUSE_MS);
      if (!hasSucceeded && error.type === 'network') api.say(error.message, 'network');
    }
  }

  return {
    ask: (body, hasStale) =>
      new Promise((resolve, reject) => {
        const asked = { body, hasStale, resolve, reject };
        if (body.consume) void send([asked]);
        else if (waiting.push(asked) === 1) queueMicrotask(sendWaiting);
      }),
    isDown: () => isPaused() && isPassing(last),
    isPaused,
  };
}
