/** Answers in a browser: from a route of the application (./handler), or from the API with a public key and the user's token. */
import { type Answer, accessOf, readAnswer, readJson } from './core/answer.ts';
import { callApi } from './core/call-api.ts';
import { asError, isPassing, notOurs } from './core/error.ts';
import { inTime, pauseMs } from './core/in-time.ts';
import type { Access, AccessJson, TesseraError } from './index.ts';

export interface BrowserOptions {
  readonly from:
    | { readonly handler: string }
    | {
        readonly url: string;
        readonly publicKey: string;
        /** Null: nobody is signed in. */
        readonly token: () => string | null | Promise<string | null>;
      };
  /** From `access.toJSON()` on the server: known before the first render. */
  readonly bootstrap?: AccessJson | null | undefined;
  /** Default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly onError?: ((error: TesseraError) => void) | undefined;
}

export interface BrowserState {
  readonly status: 'loading' | 'ready' | 'error';
  /** What may be shown: also what is stale while the API cannot be reached. */
  readonly access: Access | null;
  readonly error: TesseraError | null;
}

export interface BrowserTessera {
  /** The same object until something changed. */
  getState(): BrowserState;
  subscribe(listener: () => void): () => void;
  /** What is valid, or else asked: one request, however many callers. After a failure it rejects for some seconds without asking. */
  load(): Promise<Access>;
  /** Asks, whatever is known. */
  refresh(): Promise<Access>;
  /** Another user, or none: what the former one had is gone at once, and what was asked for them is ignored. */
  reset(options?: { readonly bootstrap?: AccessJson | null }): void;
}

const STALE_MS = 3_600_000;
const MAX_PAUSE_MS = 60_000;

/** Asks for nothing yet. */
export function createBrowserTessera(options: BrowserOptions): BrowserTessera {
  const { from, timeoutMs = 5_000, fetch = (...call) => globalThis.fetch(...call), onError } = options;
  const listeners = new Set<() => void>();
  let answer: Answer | null;
  let state: BrowserState;
  let asking: Promise<Access> | null;
  let failures = 0;
  let pausedUntil = 0;

  function change(next: Answer | null, source: Access['source'], error: TesseraError | null): void {
    answer = next;
    const status = error !== null ? 'error' : answer === null ? 'loading' : 'ready';
    state = { status, access: answer && accessOf(answer, source), error };
    for (const listener of [...listeners]) listener();
  }

  function start(bootstrap: AccessJson | null | undefined): void {
    asking = null;
    failures = pausedUntil = 0;
    change(readJson(bootstrap), 'cache', null);
  }

  async function ask(): Promise<Answer> {
    const at = Date.now();
    if ('handler' in from) {
      const call = { method: 'GET', url: from.handler, headers: {}, timeoutMs };
      const read = readJson((await callApi(call, fetch)).body as never);
      if (read === null) throw notOurs('no features');
      return read;
    }
    const userJwt = (await inTime(Promise.resolve(from.token()), timeoutMs)) ?? undefined;
    const headers = { authorization: `Bearer ${from.publicKey}` };
    const url = `${from.url.replace(/\/+$/, '')}/api/v1/access-checks`;
    const { body } = await callApi({ method: 'POST', url, headers, body: { userJwt }, timeoutMs }, fetch);
    const read = readAnswer(body, at);
    if (read === null) throw notOurs('no features');
    return read;
  }

  function refresh(): Promise<Access> {
    const own: Promise<Access> = ask().then(
      (next) => {
        if (asking === own) {
          asking = null;
          failures = pausedUntil = 0;
          change(shared(next, answer), 'live', null);
        }
        return accessOf(next, 'live');
      },
      (thrown) => {
        const error = asError(thrown);
        if (asking === own) {
          asking = null;
          pausedUntil = Date.now() + 1_000 + pauseMs(failures++, error, MAX_PAUSE_MS);
          const isUsable = answer !== null && isPassing(error) && Date.now() < answer.validUntil + STALE_MS;
          change(isUsable ? answer : null, 'stale', error);
          onError?.(error);
        }
        throw error;
      },
    );
    asking = own;
    return own;
  }

  async function load(): Promise<Access> {
    if (asking !== null) return asking;
    if (answer !== null && state.access && Date.now() < answer.validUntil) return state.access;
    if (state.error !== null && Date.now() < pausedUntil) throw state.error;
    return refresh();
  }

  start(options.bootstrap);
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load,
    refresh,
    reset: ({ bootstrap } = {}) => start(bootstrap),
  };
}

/** Meters that are as they were stay the same objects, so that nothing renders for them. */
function shared(next: Answer, known: Answer | null): Answer {
  for (const [slug, properties] of Object.entries(next.features)) {
    for (const [key, value] of Object.entries(properties)) {
      const before = known?.features[slug]?.[key];
      if (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(before)) {
        (properties as Record<string, unknown>)[key] = before;
      }
    }
  }
  return next;
}
