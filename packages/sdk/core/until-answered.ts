/** Calls that may be repeated, because the server answers the same one again: tried until they are answered. */
import type { TesseraError } from '../index.ts';
import type { Api } from './api.ts';
import { unwatchExit, watchExit } from './at-exit.ts';
import type { Received } from './call-api.ts';
import { elapsedMs } from './clock.ts';
import { platformWaitUntil } from './count-buffer.ts';
import { MAX_AGE_MS } from './counted-update.ts';
import { isPassing } from './error.ts';
import { inTime, pause, pauseMs } from './in-time.ts';

interface Repeated {
  readonly path: string;
  readonly body: object;
  /** How long it is tried. */
  readonly forMs: number;
  /** Otherwise its pauses do not keep Node alive. */
  readonly isAwaited: boolean;
  readonly signal?: AbortSignal | undefined;
}

const MAX_PAUSE_MS = 30_000;
const AT_EXIT_MS = 10_000;
/** How long a function is kept alive after its response. */
const MAX_BACKGROUND_MS = 25_000;

/** Of every client. */
const unanswered = new Set<Promise<unknown>>();
const atExit = {
  items: unanswered,
  hasGivenUp: false,
  send: () => Promise.all([...unanswered].map((work) => inTime(work, AT_EXIT_MS).catch(() => {}))),
};

/** @throws {TesseraError} what the API refused, or the last failure */
export async function untilAnswered(
  api: Api,
  { path, body, forMs, isAwaited, signal }: Repeated,
): Promise<Received> {
  const endsAt = elapsedMs() + forMs;
  for (let tries = 1; ; tries++) {
    try {
      return await api.post(path, body, api.timeoutMs, signal);
    } catch (thrown) {
      const error = thrown as TesseraError;
      const waitMs = pauseMs(tries, error, MAX_PAUSE_MS);
      if (!isPassing(error) || signal?.aborted || elapsedMs() + waitMs >= endsAt) throw error;
      api.emit({ type: 'retry', error });
      await pause(waitMs, isAwaited);
    }
  }
}

/**
 * The same behind the caller, for as long as usage is taken: also when a Node process ends by itself, for ten seconds, and after a
 * function's response.
 */
export function answeredBehind(api: Api, path: string, body: object): Promise<Received> {
  const work = untilAnswered(api, { path, body, forMs: MAX_AGE_MS, isAwaited: false });
  const waitUntil = api.waitUntil ?? platformWaitUntil();
  if (waitUntil) {
    // A request that is gone never ends its calls, so they are kept nowhere.
    waitUntil(inTime(work, MAX_BACKGROUND_MS).catch(() => {}));
    return work;
  }
  unanswered.add(work);
  watchExit(atExit);
  const end = () => {
    unanswered.delete(work);
    if (unanswered.size === 0) unwatchExit(atExit);
  };
  work.then(end, end);
  return work;
}
