/** Answers in a browser: from a route of the application (./handler), or from the API with a public key and the user's token. */
import { type Answer, accessOf, readAnswer } from './core/answer.ts';
import { type Call, callApi } from './core/call-api.ts';
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

const MIN_VALID_MS = 2_000;
const STALE_MS = 3_600_000;

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
    change(bootstrap ? readAnswer(bootstrap, Date.now()) : null, 'cache', null);
  }

  async function ask(): Promise<Answer> {
    const at = Date.now();
    const read = readAnswer((await callApi(await callOf(), fetch)).body, at);
    if (read === null) throw notOurs('no features');
    return read;
  }

  async function callOf(): Promise<Call> {
    if ('handler' in from) return { method: 'GET', url: from.handler, headers: {}, timeoutMs };
    const userJwt = await inTime(Promise.resolve(from.token()), timeoutMs);
    const headers = { authorization: `Bearer ${from.publicKey}` };
    const url = `${from.url.replace(/\/+$/, '')}/api/v1/access-checks`;
    return { method: 'POST', url, headers, body: userJwt === null ? {} : { userJwt }, timeoutMs };
  }

  function refresh(): Promise<Access> {
    const own: Promise<Access> = ask().then(
      (next) => {
        if (asking === own) {
          asking = null;
          failures = 0;
          // Whatever its validity: what renders with an answer asks for it again.
          pausedUntil = Date.now() + MIN_VALID_MS;
          change(shared(next, answer), 'live', null);
        }
        return accessOf(next, 'live');
      },
      (thrown) => {
        const error = asError(thrown);
        if (asking === own) {
          asking = null;
          pausedUntil = Date.now() + 1_000 + pauseMs(failures++, error, 60_000);
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
    const now = Date.now();
    if (state.error !== null && now < pausedUntil) throw state.error;
    if (answer !== null && state.access !== null && now < Math.max(answer.validUntil, pausedUntil))
      return state.access;
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
