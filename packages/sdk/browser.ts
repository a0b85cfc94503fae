/** Answers in a browser: from a route of the application (./handler), or from the API with a public key and the user's token. */
import { type Answer, accessOf, isObject, readAnswer } from './core/answer.ts';
import { addressOf, type Call, CHECKS, callApi } from './core/call-api.ts';
import { elapsedMs } from './core/clock.ts';
import { asError, isPassing } from './core/error.ts';
import { pauseMs } from './core/in-time.ts';
import type { Access, AccessJson, Features, Source, TesseraError } from './index.ts';

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
  /**
   * Who is signed in: whatever tells users apart. Without it answers belong to the user of the token (its `iss` and `sub`), and with `handler`
   * to whoever asks: call `reset` when that changes.
   */
  readonly user?: string | null | undefined;
  /** Default 5,000. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly onError?: ((error: TesseraError) => void) | undefined;
  /**
   * Calls its argument whenever the application is seen again, and returns how to stop: for React Native's AppState. Default: the page's
   * `visibilitychange` and `online`.
   */
  readonly onVisible?: ((wake: () => void) => () => void) | undefined;
}

/** Nobody has no features, and a handler may show some only. */
export type BrowserAccess = Access<Partial<Features>>;

export interface BrowserState {
  readonly status: 'loading' | 'ready' | 'error';
  /** What may be shown: also what is stale while the API cannot be reached. */
  readonly access: BrowserAccess | null;
  readonly error: TesseraError | null;
}

export interface BrowserTessera {
  /** The same object until something changed. */
  getState(): BrowserState;
  /**
   * While somebody listens and the page is visible, it asks by itself: at first, when an answer ends, after a failure with growing pauses,
   * and when the page is seen again or online.
   */
  subscribe(listener: () => void): () => void;
  /** What is valid, or else asked: one request, however many callers. After a failure it rejects for some seconds without asking. */
  load(): Promise<BrowserAccess>;
  /** Asks, whatever is known. */
  refresh(): Promise<BrowserAccess>;
  /** Another user, or none: what the former one had is gone at once, and what was asked for them is ignored. */
  reset(options?: { readonly bootstrap?: AccessJson | null }): void;
}

/** How long an answer is shown that is no longer valid, while the API cannot be reached. */
const STALE_MS = 3_600_000;
/** So that pages that were opened at the same time do not ask at the same time. */
const JITTER_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/** Asks for nothing yet. */
export function createBrowserTessera(options: BrowserOptions): BrowserTessera {
  const { from, timeoutMs = 5_000, fetch, onError, user, onVisible = whenSeen } = options;
  const listeners = new Set<() => void>();
  let answer: Answer | null;
  let state: BrowserState;
  let asking: Promise<BrowserAccess> | null;
  let failures: number;
  /** The answer, or the error, is used until then, by `elapsedMs`. */
  let restUntil: number;
  /** Whose answer it is: see `user`. Undefined: not known. */
  let owner: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;

  /** What is known now. What is asked stays under way: who hears of this and loads waits for it. */
  function show(next: Answer | null, source: Source, error: TesseraError | null, restMs: number): void {
    answer = next;
    restUntil = Math.max(next && !error ? next.validUntil : 0, elapsedMs() + restMs);
    const status = error ? 'error' : answer ? 'ready' : 'loading';
    state = { status, access: answer && accessOf(answer, source), error };
    for (const listener of [...listeners]) listener();
    schedule();
  }

  function settle(...shown: Parameters<typeof show>): void {
    asking = null;
    show(...shown);
  }

  const isUsable = (known: Answer) => elapsedMs() < known.validUntil + STALE_MS;

  /** One timer, while somebody listens and the page is visible. */
  function schedule(): void {
    clearTimeout(timer);
    if (!stop || asking || isHidden()) return;
    const restMs = restUntil - elapsedMs();
    timer = setTimeout(
      () => void load().catch(() => {}),
      Math.max(restMs, 0) + (restMs > 0 ? Math.random() * JITTER_MS : 0),
    );
  }

  /** Seen again, or online: what failed is tried at once, and what is too old is not shown meanwhile. */
  function wake(): void {
    if (state.error && !asking) restUntil = 0;
    if (answer && !isUsable(answer)) show(null, 'cache', null, 0);
    else schedule();
  }

  const reset: BrowserTessera['reset'] = ({ bootstrap } = {}) => {
    failures = 0;
    owner = undefined;
    const isKnown = isObject(bootstrap?.features);
    settle(isKnown ? readAnswer({ body: bootstrap as AccessJson, at: elapsedMs() }) : null, 'cache', null, 0);
  };

  /** @param isOwn whether what it returns will be shown */
  async function callOf(isOwn: () => boolean): Promise<Call> {
    if ('handler' in from) return { url: from.handler };
    const token = await from.token();
    const next = user === undefined ? userOf(token) : `${user}`;
    if (isOwn() && next !== owner) {
      const isOther = owner !== undefined;
      owner = next;
      // What another user had is gone before theirs arrives.
      if (isOther) show(null, 'cache', null, 0);
    }
    return {
      url: addressOf(from.url) + CHECKS,
      headers: { authorization: `Bearer ${from.publicKey}`, 'content-type': 'application/json' },
      body: { userJwt: token ?? undefined },
    };
  }

  function refresh(): Promise<BrowserAccess> {
    const asked = callApi(
      callOf(() => asking === own),
      timeoutMs,
      fetch,
    ).then(readAnswer);
    const own: Promise<BrowserAccess> = asked.then(
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
          const isShown = answer && isPassing(error) && isUsable(answer);
          settle(isShown ? answer : null, 'stale', error, 1_000 + pauseMs(failures++, error, MAX_PAUSE_MS));
          onError?.(error);
        }
        throw error;
      },
    );
    asking = own;
    clearTimeout(timer);
    return own;
  }

  async function load(): Promise<BrowserAccess> {
    if (asking || elapsedMs() >= restUntil) return asking ?? refresh();
    const { access, error } = state;
    if (error) throw error;
    return access as BrowserAccess;
  }

  reset(options);
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      if (!stop) {
        stop = onVisible(wake);
        wake();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        clearTimeout(timer);
      };
    },
    load,
    refresh,
    reset,
  };
}

/** Where there is no page, nothing is hidden. */
const isHidden = () => globalThis.document?.visibilityState === 'hidden';

function whenSeen(wake: () => void): () => void {
  const targets = [
    [globalThis.document, 'visibilitychange'],
    [globalThis.window, 'online'],
  ] as const;
  for (const [target, name] of targets) target?.addEventListener?.(name, wake);
  return () => {
    for (const [target, name] of targets) target?.removeEventListener?.(name, wake);
  };
}

/** A token is renewed often; its user is the same then. @returns the token itself if it does not say whose it is */
function userOf(token: string | null): string {
  try {
    const claims = JSON.parse(atob(`${token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/')}`));
    if (claims.sub) return `${claims.iss} ${claims.sub}`;
  } catch {
    // It is not for us to judge.
  }
  return `${token}`;
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
