/** Answers in a browser: from a route of the application (./handler), or from the API with a public key and the user's token. */
import { type Answer, accessOf, isObject, readAnswer } from './core/answer.ts';
import { type Call, CHECKS, callApi } from './core/call-api.ts';
import { asError, isPassing } from './core/error.ts';
import { pauseMs } from './core/in-time.ts';
import type { Access, AccessJson, Source, TesseraError } from './index.ts';

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

/** Asks for nothing yet. */
export function createBrowserTessera(options: BrowserOptions): BrowserTessera {
  const { from, timeoutMs = 5_000, fetch, onError } = options;
  const listeners = new Set<() => void>();
  let answer: Answer | null;
  let state: BrowserState;
  let asking: Promise<Access> | null;
  let failures: number;
  /** The answer, or the error, is used until then. */
  let restUntil: number;

  function settle(next: Answer | null, source: Source, error: TesseraError | null, restMs: number): void {
    answer = next;
    asking = null;
    restUntil = Math.max(next && !error ? next.validUntil : 0, Date.now() + restMs);
    const status = error ? 'error' : answer ? 'ready' : 'loading';
    state = { status, access: answer && accessOf(answer, source), error };
    for (const listener of [...listeners]) listener();
  }

  const reset: BrowserTessera['reset'] = ({ bootstrap } = {}) => {
    failures = 0;
    const isKnown = isObject(bootstrap?.features);
    settle(isKnown ? readAnswer({ body: bootstrap as AccessJson, at: Date.now() }) : null, 'cache', null, 0);
  };

  async function callOf(): Promise<Call> {
    if ('handler' in from) return { url: from.handler };
    return {
      url: from.url.replace(/\/+$/, '') + CHECKS,
      headers: { authorization: `Bearer ${from.publicKey}`, 'content-type': 'application/json' },
      body: { userJwt: (await from.token()) ?? undefined },
    };
  }

  function refresh(): Promise<Access> {
    const asked = callApi(callOf(), timeoutMs, fetch).then(readAnswer);
    const own: Promise<Access> = asked.then(
      (next) => {
        if (asking === own) {
          failures = 0;
          // Whatever its validity: what renders with an answer asks for it again.
          settle(shared(next, answer), 'live', null, 2_000);
        }
        return accessOf(next, 'live');
      },
      (thrown) => {
        const error = asError(thrown);
        if (asking === own) {
          // For an hour.
          const isUsable = answer && isPassing(error) && Date.now() < answer.validUntil + 3_600_000;
          settle(isUsable ? answer : null, 'stale', error, 1_000 + pauseMs(failures++, error, 60_000));
          onError?.(error);
        }
        throw error;
      },
    );
    asking = own;
    return own;
  }

  async function load(): Promise<Access> {
    if (asking || Date.now() >= restUntil) return asking ?? refresh();
    const { access, error } = state;
    if (error) throw error;
    return access as Access;
  }

  reset(options);
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load,
    refresh,
    reset,
  };
}

/** Meters that are as they were stay the same objects, so that nothing renders for them. */
function shared(next: Answer, known: Answer | null): Answer {
  for (const slug in next.features) {
    const properties = next.features[slug]?.properties as Record<string, unknown>;
    for (const key in properties) {
      const before = known?.features[slug]?.properties[key];
      if (JSON.stringify(properties[key]) === JSON.stringify(before)) properties[key] = before;
    }
  }
  return next;
}
