/**
 * The write-ahead buffer of usage: each update has its key and its time before the first try, and stays until the server has acknowledged or
 * refused it. One batch is under way at a time, so that the updates of a customer arrive in order. Its clock may be wrong: it sends how old an
 * update is.
 */
import type { CountedUpdate, TesseraError, TesseraOptions } from '../index.ts';
import type { Api } from './api.ts';
import { unwatchExit, watchExit } from './at-exit.ts';
import { MAX_BATCH, nextBatch, resultsOf } from './batches.ts';
import { elapsedMs } from './clock.ts';
import { countBody, failureOf, MAX_AGE_MS } from './counted-update.ts';
import { isPassing, RaisedError } from './error.ts';
import { inTime, pause, pauseMs } from './in-time.ts';
import { subjectBody } from './subject-key.ts';

interface Item {
  update: CountedUpdate;
  /** It may have been taken by a check whose answer was lost. Sent as that asked, its key tells whether it was. */
  isTaken: boolean;
  /** By `elapsedMs`. */
  readonly happenedAt: number;
}

/** What belongs to a request in a Worker is gone with it: then it is taken for ended at this instant, by `elapsedMs`. */
interface Running {
  readonly work: Promise<unknown>;
  readonly endsAt: number;
  /** Ends the call, which Node would wait for, after the time of any other. It is sent again. */
  giveUp?(): void;
}

export interface CountBuffer {
  add(update: CountedUpdate, isTaken?: boolean): void;
  /** @throws {TesseraError} */
  flush(bounds?: { readonly timeoutMs?: number }): Promise<void>;
}

const UPDATES = '/api/v1/counter-updates/batch';
const BATCH_MS = 10_000;
const MAX_PAUSE_MS = 30_000;
/** How long a function is kept alive after its response. */
const MAX_BACKGROUND_MS = 25_000;

/** @param onCounted with the result of each update that the server acknowledged */
export function openBuffer(
  api: Api,
  { buffer = {} }: TesseraOptions,
  onCounted: (update: CountedUpdate, result: Record<string, unknown>) => void,
): CountBuffer {
  const { maxUpdates = 10_000, flushAfterMs = 250, onUndelivered } = buffer;
  const items = new Set<Item>();
  let batch: Running | null = null;
  let background: Running | null = null;
  let tries = 0;
  /** By `elapsedMs`. */
  let pausedUntil = 0;
  /** What nobody took. */
  let lost: { readonly count: number; readonly error: TesseraError } | null = null;

  function add(update: CountedUpdate, isTaken = false): void {
    const now = elapsedMs();
    const item = { update, isTaken, happenedAt: now - Date.now() + update.at };
    if (items.size >= maxUpdates) {
      refuse([item], new RaisedError('unavailable', `${maxUpdates} updates wait`));
      return;
    }
    items.add(item);
    watchExit(atExit);
    const waitUntil = api.waitUntil ?? platformWaitUntil();
    const work = inBackground(!!waitUntil);
    waitUntil?.(work);
    if (items.size >= MAX_BATCH && now >= pausedUntil) void sendBatch();
  }

  /** @param isAwaited otherwise its pauses do not keep Node alive: who wants to know that usage is sent awaits `flush` */
  function inBackground(isAwaited: boolean): Promise<unknown> {
    if (isRunning(background)) return background.work;
    const endsAt = elapsedMs() + MAX_BACKGROUND_MS;
    const send = async () => {
      await pause(flushAfterMs, isAwaited);
      const isSent = await sendUntil(endsAt, isAwaited);
      if (background?.endsAt === endsAt) background = null;
      if (!isSent && !isAwaited) void inBackground(false);
    };
    background = { work: send(), endsAt };
    return background.work;
  }

  const atExit = { hasGivenUp: false, items, send: () => sendUntil(elapsedMs() + BATCH_MS) };

  async function flush({ timeoutMs = 10_000 } = {}): Promise<void> {
    const counted = [...items];
    if (!(await sendUntil(elapsedMs() + timeoutMs, true, () => counted.some((item) => items.has(item))))) {
      atExit.hasGivenUp = true;
      throw new RaisedError('timeout', `Not sent within ${timeoutMs} ms`);
    }
    if (!lost) return;
    const { count, error } = lost;
    lost = null;
    throw new RaisedError(error.type, `${count} updates could not be delivered: ${error.message}`, error);
  }

  async function sendUntil(
    endsAt: number,
    isAwaited = true,
    isLeft = () => items.size > 0,
  ): Promise<boolean> {
    while (isLeft()) {
      const now = elapsedMs();
      const leftMs = endsAt - now;
      if (leftMs <= 0) {
        if (isAwaited) batch?.giveUp?.();
        return false;
      }
      if (pausedUntil > now) await pause(Math.min(pausedUntil - now, leftMs), isAwaited);
      else await inTime(sendBatch(), leftMs).catch(() => {});
    }
    return true;
  }

  /** Never rejects. Sent again, a batch counts once. */
  function sendBatch(): Promise<unknown> {
    if (isRunning(batch)) return batch.work;
    const end = new AbortController();
    const endsAt = elapsedMs() + 2 * BATCH_MS;
    const work = send(end.signal).finally(() => {
      if (batch?.endsAt === endsAt) batch = null;
    });
    batch = { work, endsAt, giveUp: () => void pause(api.timeoutMs, false).then(() => end.abort()) };
    return work;
  }

  async function send(signal: AbortSignal): Promise<void> {
    const now = elapsedMs();
    const old = [...items].filter(({ happenedAt }) => now - happenedAt >= MAX_AGE_MS);
    refuse(old, new RaisedError('timeout', 'Not sent within 24 hours'));
    const sent = nextBatch(items, ({ update }) => update);
    let error: TesseraError | undefined;
    try {
      const updates = sent.map(({ update, isTaken, happenedAt }) => ({
        ...subjectBody(update.on),
        ...countBody(update),
        enforce: isTaken || undefined,
        // What is given back goes back to where it was counted.
        ageMs: update.givesBack ? undefined : Math.max(0, Math.round(now - happenedAt)),
      }));
      const results = sent[0]
        ? resultsOf(await api.post(UPDATES, { updates }, BATCH_MS, signal), sent.length)
        : [];
      sent.forEach((item, index) => {
        const { update, isTaken } = item;
        const result = results[index] as Record<string, unknown>;
        const failure = failureOf(result);
        if (failure) {
          if (isPassing(failure)) error ??= failure;
          else refuse([item], failure);
        } else if (isTaken && result.accepted === false) {
          // It was not taken. What was allowed meanwhile counts, whatever the limit, under a key of its own.
          item.isTaken = false;
          item.update = { ...update, idempotencyKey: `${update.idempotencyKey.slice(-190)}/later` };
        } else {
          items.delete(item);
          onCounted(update, result);
        }
      });
    } catch (thrown) {
      if (isPassing(thrown as TesseraError)) error = thrown as TesseraError;
      else refuse(sent, thrown as TesseraError);
    }
    tries = error ? tries + 1 : 0;
    if (!items.size) unwatchExit(atExit);
    if (error) {
      pausedUntil = elapsedMs() + pauseMs(tries, error, MAX_PAUSE_MS);
      api.emit({ type: 'retry', error });
    } else atExit.hasGivenUp = false;
  }

  function refuse(refused: readonly Item[], error: TesseraError): void {
    if (!refused[0]) return;
    for (const item of refused) items.delete(item);
    const updates = refused.map(({ update }) => update);
    api.emit({ type: 'undelivered', error, updates });
    if (!onUndelivered) {
      lost = { count: (lost?.count ?? 0) + updates.length, error };
      return;
    }
    try {
      onUndelivered(updates);
    } catch {
      // Its failure must not stop what can be sent.
    }
  }

  return { add, flush };
}

const isRunning = (running: Running | null): running is Running => elapsedMs() < (running?.endsAt ?? 0);

type WaitUntil = NonNullable<TesseraOptions['waitUntil']>;
interface Platform {
  readonly Netlify?: { readonly context?: { readonly waitUntil?: WaitUntil } };
  readonly [name: symbol]:
    | { readonly get?: () => { readonly waitUntil?: WaitUntil } | undefined }
    | undefined;
}

export function platformWaitUntil(): WaitUntil | undefined {
  const platform = globalThis as unknown as Platform;
  const context = platform[Symbol.for('@vercel/request-context')]?.get?.() ?? platform.Netlify?.context;
  return context?.waitUntil?.bind(context);
}
