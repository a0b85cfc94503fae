/** The API at one address with one key, and whether it answers. After three failures in a row only one call at a time tries it. */
import type { TesseraError, TesseraEvent, TesseraOptions } from '../index.ts';
import { CHECKS, callApi, type Received } from './call-api.ts';
import { isPassing, RaisedError } from './error.ts';
import { pause, pauseMs } from './in-time.ts';

const FAILURES = 3;
const MAX_PAUSE_MS = 30_000;

export interface Api {
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** Of a check with its second attempt. */
  readonly boundMs: number;
  readonly isListened: boolean;
  /** Counts an answer from the cache. */
  served(): void;
  /** Whether the API is taken for unreachable. */
  isDown(): boolean;
  /** @throws {TesseraError} */
  post(path: string, body: object, timeoutMs?: number): Promise<Received>;
  /**
   * Asks once more if that may help, unless something else can be used.
   * @throws {TesseraError} at once while the API is down
   */
  check(body: object, hasStale: boolean): Promise<Received>;
  emit(event: TesseraEvent): void;
}

export function openApi(options: TesseraOptions): Api {
  const { timeoutMs = 1_500, onEvent } = options;
  let failures = 0;
  let downUntil = 0;
  let last: TesseraError;
  /** Answers from the cache since the last call. */
  let servedCount = 0;
  let hasReported = false;

  const isDown = () => Date.now() < downUntil;

  async function post(path: string, body: object, ms = timeoutMs): Promise<Received> {
    const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
    const { key = env?.TESSERA_KEY, url = env?.TESSERA_URL, fetch } = options;
    const count = servedCount;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(count > 0 && { 'tessera-answered': `${count}` }),
    };
    try {
      const missing = key ? !url && 'url' : 'key';
      if (missing) {
        throw new RaisedError(
          'invalid-request',
          `Set TESSERA_${missing.toUpperCase()} or the option ${missing}`,
        );
      }
      const call = { url: `${url}`.replace(/\/+$/, '') + path, headers, body };
      const received = await callApi(call, ms, fetch);
      servedCount -= count;
      return received;
    } catch (error) {
      report(error as TesseraError);
      throw error;
    }
  }

  async function check(body: object, hasStale: boolean) {
    for (let tries = 0; ; tries++) {
      const at = Date.now();
      if (isDown()) throw new RaisedError(last.type, `Not asked again yet: ${last.message}`, last);
      // While one call tries whether the API is back, others do not wait for it.
      if (failures >= FAILURES) downUntil = at + timeoutMs;
      try {
        const received = await post(CHECKS, body);
        failures = downUntil = 0;
        return received;
      } catch (thrown) {
        const error = thrown as TesseraError;
        if (!isPassing(error)) throw error;
        fail(error);
        const waitMs = pauseMs(0, error, 250);
        if (tries > 0 || hasStale || waitMs > 1_000 || isDown()) throw error;
        emit({ type: 'retry', error });
        await pause(waitMs);
      }
    }
  }

  function fail(error: TesseraError): void {
    last = error;
    failures += 1;
    const now = Date.now();
    if (error.status === 429) downUntil = now + Math.min(error.retryAfterMs ?? 1_000, 60_000);
    else if (failures >= FAILURES) downUntil = now + 100 + pauseMs(failures - FAILURES, error, MAX_PAUSE_MS);
  }

  function emit(event: TesseraEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // A listener's failure is not the caller's.
    }
  }

  /** Fallbacks would hide a wrong address or key for ever: without a listener it is said once. */
  function report(error: TesseraError): void {
    if (isPassing(error) || onEvent || hasReported) return;
    hasReported = true;
    // biome-ignore lint/suspicious/noConsole: it is for the developer of the application
    console.error(`tessera-sdk: ${error.message}`);
  }

  return {
    timeoutMs,
    boundMs: 2 * timeoutMs + 1_500,
    isListened: !!onEvent,
    served: () => void servedCount++,
    isDown,
    post,
    check,
    emit,
  };
}
