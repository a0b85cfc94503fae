/** The API at one address with one key, and what the developer of the application is told. */
import type { TesseraError, TesseraEvent, TesseraOptions } from '../index.ts';
import { addressOf, BATCH, callApi, type Received } from './call-api.ts';
import { isKeyRefused, isPassing, RaisedError } from './error.ts';

/** Kinds of mistakes, unknown paths among them. */
const MAX_SAID = 50;

export interface Api {
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly waitUntil: TesseraOptions['waitUntil'];
  /** Of a check with its second attempt. */
  readonly boundMs: number;
  /** Counts an answer from the cache. */
  served(): void;
  /** @throws {TesseraError} */
  post(path: string, body: object, timeoutMs?: number, signal?: AbortSignal): Promise<Received>;
  emit(event: TesseraEvent): void;
  /** Tells the developer of the application about a mistake that fallbacks would hide: once for each kind. */
  say(message: string, kind?: string): void;
}

export function openApi(options: TesseraOptions): Api {
  const { timeoutMs = 1_500, onEvent, waitUntil } = options;
  /** Answers from the cache that no call has reported. */
  let servedCount = 0;
  const said = new Set<string>();

  /** In the options or the environment, which some applications fill only after they have made the client. */
  function readSettings() {
    const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
    const { key = env?.TESSERA_KEY, url = env?.TESSERA_URL } = options;
    if (url && !/^https?:\/\/[^/]/.test(url)) say(`${url} lacks https://`, 'url');
    if (key?.startsWith('tsr_pub_')) say(`…${key.slice(-4)} is no secret key`, 'key');
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
      ...(count && { 'tessera-answered': `${count}` }),
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
      return await callApi(call, ms, fetch, signal);
    } catch (thrown) {
      const error = thrown as TesseraError;
      servedCount += count;
      if (isKeyRefused(error)) say(`${error.message} (key …${key?.slice(-4)})`, error.type);
      // Servers of earlier releases have no batches of checks.
      else if (!isPassing(error) && (path !== BATCH || error.status !== 404)) say(error.message);
      throw error;
    }
  }

  function emit(event: TesseraEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // A listener's failure is not the caller's.
    }
  }

  function say(message: string, kind = message): void {
    if (said.has(kind) || said.size >= MAX_SAID) return;
    said.add(kind);
    if (onEvent) emit({ type: 'mistake', message });
    // biome-ignore lint/suspicious/noConsole: it is for the developer of the application
    else console.error(`tessera-sdk: ${message}`);
  }

  return {
    timeoutMs,
    waitUntil,
    boundMs: 2 * timeoutMs + 1_500,
    served: () => void servedCount++,
    post,
    emit,
    say,
  };
}
