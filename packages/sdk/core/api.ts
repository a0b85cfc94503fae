/**
 * The API at one address with one key, and whether it answers. After three failures in a row, or one refusal of the key, only one call at
 * a time tries it.
 */
import type { TesseraError, TesseraEvent, TesseraOptions } from '../index.ts';
import { addressOf, CHECKS, callApi, type Received } from './call-api.ts';
import { elapsedMs } from './clock.ts';
import { isKeyRefused, isPassing, RaisedError } from './error.ts';
import { pause, pauseMs } from './in-time.ts';

const FAILURES = 3;
const MAX_PAUSE_MS = 30_000;
/** A date has whole seconds. */
const MIN_SKEW_MS = 2_000;
/** Kinds of mistakes, unknown paths among them. */
const MAX_SAID = 50;

export interface Api {
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** Of a check with its second attempt. */
  readonly boundMs: number;
  readonly isListened: boolean;
  /** Counts an answer from the cache. */
  served(): void;
  /** Whether the API is taken for unreachable: not where it refuses the key. */
  isDown(): boolean;
  /** What the server's clock is ahead of ours, as of the last answer. */
  aheadMs(): number;
  /** Whether it may be asked. */
  isPaused(): boolean;
  /** @throws {TesseraError} */
  post(path: string, body: object, timeoutMs?: number, signal?: AbortSignal): Promise<Received>;
  /**
   * Asks once more if that may help, unless something else can be used.
   * @throws {TesseraError} at once while the API is down
   */
  check(body: object, hasStale: boolean): Promise<Received>;
  emit(event: TesseraEvent): void;
  /** Tells the developer of the application about a mistake that fallbacks would hide: once for each kind. */
  say(kind: string, message: string): void;
}

export function openApi(options: TesseraOptions): Api {
  const { timeoutMs = 1_500, onEvent } = options;
  let failures = 0;
  /** By `elapsedMs`. */
  let pausedUntil = 0;
  let last: TesseraError;
  let hasSucceeded = false;
  let aheadMs = 0;
  /** Answers from the cache that no call has reported. */
  let servedCount = 0;
  const said = new Set<string>();

  const isPaused = () => elapsedMs() < pausedUntil;
  const isDown = () => isPaused() && isPassing(last);

  /** In the options or the environment, which some applications fill only after they have made the client. */
  function readSettings() {
    const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
    const { key = env?.TESSERA_KEY, url = env?.TESSERA_URL } = options;
    if (url && !/^https?:\/\/[^/]/.test(url)) say('url', `${url} does not begin with https://`);
    if (key?.startsWith('tsr_pub_')) say('key', `…${key.slice(-4)} is a public key, not a secret one`);
    return { key, url };
  }

  let settings = readSettings();

  async function post(path: string, body: object, ms = timeoutMs, signal?: AbortSignal): Promise<Received> {
    const { fetch } = options;
    if (!settings.key || !settings.url) settings = readSettings();
    const { key, url } = settings;
    // Calls at the same time report an answer once.
    const count = servedCount;
    servedCount = 0;
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
      const call = { url: addressOf(`${url}`) + path, headers, body };
      const received = await callApi(call, ms, fetch, signal);
      hasSucceeded = true;
      // Servers of earlier releases have Cloudflare's Date only.
      const { headers: dated } = received;
      const time = Number(dated.get('tessera-time')) || Date.parse(`${dated.get('date')}`);
      if (time) aheadMs = Math.abs(time - Date.now()) < MIN_SKEW_MS ? 0 : time - Date.now();
      return received;
    } catch (thrown) {
      const error = thrown as TesseraError;
      servedCount += count;
      if (isKeyRefused(error)) say(error.type, `${error.message} (key …${key?.slice(-4)})`);
      else if (!isPassing(error)) say(error.message, error.message);
      throw error;
    }
  }

  async function check(body: object, hasStale: boolean) {
    for (let tries = 0; ; tries++) {
      if (isPaused()) throw new RaisedError(last.type, `Not asked: ${last.message}`, last);
      // While one call tries whether the API is back, others do not wait for it.
      if (failures >= FAILURES) pausedUntil = elapsedMs() + timeoutMs;
      try {
        const received = await post(CHECKS, body);
        failures = pausedUntil = 0;
        return received;
      } catch (thrown) {
        const error = thrown as TesseraError;
        if (!isPassing(error) && !isKeyRefused(error)) throw error;
        fail(error);
        const waitMs = pauseMs(0, error, 250);
        if (tries > 0 || hasStale || waitMs > 1_000 || isPaused()) throw error;
        emit({ type: 'retry', error });
        await pause(waitMs);
      }
    }
  }

  function fail(error: TesseraError): void {
    last = error;
    // A key that is refused is refused the next time, too.
    failures = isKeyRefused(error) ? Math.max(failures + 1, FAILURES) : failures + 1;
    const now = elapsedMs();
    if (error.status === 429) pausedUntil = now + Math.min(error.retryAfterMs ?? 1_000, 60_000);
    else if (failures >= FAILURES) {
      pausedUntil = now + 100 + pauseMs(failures - FAILURES, error, MAX_PAUSE_MS);
      if (!hasSucceeded && error.type === 'network') say('network', error.message);
    }
  }

  function emit(event: TesseraEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // A listener's failure is not the caller's.
    }
  }

  function say(kind: string, message: string): void {
    if (said.has(kind) || said.size >= MAX_SAID) return;
    said.add(kind);
    if (onEvent) emit({ type: 'mistake', message });
    // biome-ignore lint/suspicious/noConsole: it is for the developer of the application
    else console.error(`tessera-sdk: ${message}`);
  }

  return {
    timeoutMs,
    boundMs: 2 * timeoutMs + 1_500,
    isListened: !!onEvent,
    served: () => void servedCount++,
    isDown,
    aheadMs: () => aheadMs,
    isPaused,
    post,
    check,
    emit,
    say,
  };
}
