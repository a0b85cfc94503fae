/**
 * The write-ahead buffer of usage: each update has its key and its time before the first try, and stays until the server has acknowledged or
 * refused it. One batch is under way at a time, so that the updates of a customer arrive in order. Its clock may be wrong: it sends how old an
 * update is.
 */
import type { CountedUpdate, TesseraError, TesseraOptions } from '../index.ts';
import type { Api } from './api.ts';
import { unwatchExit, watchExit } from './at-exit.ts';
import { CHECKS } from './call-api.ts';
import { elapsedMs } from './clock.ts';
import { countBody, failureOf, MAX_AGE_MS } from './counted-update.ts';
import { isPassing, notOurs, RaisedError } from './error.ts';
import { inTime, pause, pauseMs } from './in-time.ts';
import { subjectBody } from './subject-key.ts';

interface Item {
  update: CountedUpdate;
  /** It may have been taken by a check whose answer was lost: that is asked first. */
  isTaken: boolean;
  /** By `elapsedMs`. */
  readonly happenedAt: number;
  /** For servers of earlier releases, by their clock. Decided once, because a key belongs to one request. */
  occurredAt?: string | undefined;
  /** It was refused for its time before. */
  isTimedAgain?: boolean;
}

/** What belongs to a request in a Worker is gone with it: then it is taken for ended at this instant, by `elapsedMs`. */
interface Running {
  readonly work: Promise<boolean>;
  readonly endsAt: number;
  /** Ends the call, which Node would wait for, after the time of any other. It is sent again. */
  giveUp?(): void;
}

export interface CountBuffer {
  add(update: CountedUpdate, isTaken?: boolean): void;
  /** @throws {TesseraError} */
  flush(bounds?: { readonly timeoutMs?: number }): Promise<void>;
}

const MAX_BATCH = 100;
/** Of characters; the server takes 256 KiB. */
const MAX_BODY = 200_000;
const BATCH_MS = 10_000;
const MAX_PAUSE_MS = 30_000;
/** How long a function is kept alive after its response. */
const MAX_BACKGROUND_MS = 25_000;

/** @param onCounted with the result of each update that the server acknowledged */
export function openBuffer(
  api: Api,
  { buffer = {}, waitUntil: given }: TesseraOptions,
  onCounted: (update: CountedUpdate, result: Record<string, unknown>) => void,
): CountBuffer {
  const { maxUpdates = 10_000, flushAfterMs = 250, onUndelivered } = buffer;
  const items = new Set<Item>();
  let batch: Running | null = null;
  let background: Running | null = null;
  let tries = 0;
  /** By `elapsedMs`. */
  let pausedUntil = 0;
  /** The server's release is earlier than ages. */
  let hasNoAges = false;
  /** What nobody took. */
  let lost: { readonly count: number; readonly error: TesseraError } | null = null;

  function add(update: CountedUpdate, isTaken = false): void {
    if (items.size >= maxUpdates) {
      handOver([update], new RaisedError('unavailable', `${maxUpdates} updates wait already`));
      return;
    }
    items.add({ update, isTaken, happenedAt: elapsedMs() - Date.now() + update.at });
    watchExit(atExit);
    const waitUntil = given ?? platformWaitUntil();
    const work = inBackground(waitUntil !== undefined);
    waitUntil?.(work);
    if (items.size >= MAX_BATCH) void sendBatch();
  }

  /** @param isAwaited otherwise its pauses do not keep Node alive: who wants to know that usage is sent awaits `flush` */
  function inBackground(isAwaited: boolean): Promise<boolean> {
    if (isRunning(background)) return background.work;
    const endsAt = elapsedMs() + MAX_BACKGROUND_MS;
    const send = async () => {
      await pause(flushAfterMs, isAwaited);
      const isSent = await sendUntil(endsAt, () => items.size === 0, isAwaited);
      if (background?.endsAt === endsAt) background = null;
      if (!isSent && !isAwaited) void inBackground(false);
      return isSent;
    };
    background = { work: send(), endsAt };
    return background.work;
  }

  const atExit = {
    hasGivenUp: false,
    get size() {
      return items.size;
    },
    send: () => sendUntil(elapsedMs() + BATCH_MS, () => items.size === 0),
  };

  async function flush({ timeoutMs = 10_000 } = {}): Promise<void> {
    const counted = [...items];
    if (!(await sendUntil(elapsedMs() + timeoutMs, () => !counted.some((item) => items.has(item))))) {
      atExit.hasGivenUp = true;
      throw new RaisedError('timeout', `Not all was sent within ${timeoutMs} ms`);
    }
    if (!lost) return;
    const { count, error } = lost;
    lost = null;
    throw new RaisedError(error.type, `${count} updates could not be delivered: ${error.message}`, error);
  }

  async function sendUntil(endsAt: number, isDone: () => boolean, isAwaited = true): Promise<boolean> {
    while (!isDone()) {
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
  function sendBatch(): Promise<boolean> {
    if (isRunning(batch)) return batch.work;
    const end = new AbortController();
    const own = {
      work: send(end.signal),
      endsAt: elapsedMs() + 2 * BATCH_MS,
      giveUp: () => void pause(api.timeoutMs, false).then(() => end.abort()),
    };
    batch = own;
    void own.work.finally(() => {
      if (batch === own) batch = null;
    });
    return own.work;
  }

  async function send(signal: AbortSignal): Promise<boolean> {
    if (elapsedMs() < pausedUntil) return false;
    const sent = nextItems();
    let error: TesseraError | undefined;
    try {
      const results = await resultsOf(sent, signal);
      sent.forEach((item, index) => {
        const failure = failureOf(results[index]);
        if (!failure) {
          items.delete(item);
          onCounted(item.update, results[index] as Record<string, unknown>);
        } else if (isPassing(failure)) error ??= failure;
        else refuse([item], failure);
      });
    } catch (thrown) {
      if (isPassing(thrown as TesseraError)) error = thrown as TesseraError;
      else refuse(sent, thrown as TesseraError);
    }
    tries = error ? tries + 1 : 0;
    if (items.size === 0) unwatchExit(atExit);
    if (!error) {
      atExit.hasGivenUp = false;
      return true;
    }
    pausedUntil = elapsedMs() + pauseMs(tries, error, MAX_PAUSE_MS);
    api.emit({ type: 'retry', error });
    return false;
  }

  /** The oldest, as many as one call takes. What is too old is handed over. */
  function nextItems(): Item[] {
    const old = [...items].filter((item) => ageOf(item) >= MAX_AGE_MS);
    if (old[0]) refuse(old, new RaisedError('timeout', 'Not taken within 24 hours'));
    const next: Item[] = [];
    let length = 0;
    for (const item of items) {
      length += JSON.stringify(item.update).length + 100;
      const isAlone = item.isTaken || next[0]?.isTaken;
      if (next[0] && (isAlone || next.length === MAX_BATCH || length > MAX_BODY)) break;
      next.push(item);
    }
    return next;
  }

  /** @throws {TesseraError} if the whole call failed */
  async function resultsOf(sent: readonly Item[], signal: AbortSignal): Promise<readonly unknown[]> {
    const [first] = sent;
    if (!first) return [];
    if (first.isTaken && (await wasTaken(first))) return [{ status: 'success' }];
    const updates = sent.map((item) => ({
      ...subjectBody(item.update.on),
      ...countBody(item.update),
      ...(hasNoAges ? { occurredAt: occurredAtOf(item) } : { ageMs: ageOf(item) }),
    }));
    const { body } = await api.post('/api/v1/counter-updates/batch', { updates }, BATCH_MS, signal);
    const { results } = body;
    if (!Array.isArray(results) || results.length !== sent.length) throw notOurs('other results');
    return results;
  }

  function occurredAtOf(item: Item): string {
    item.occurredAt ??= new Date(Date.now() + api.aheadMs() - ageOf(item)).toISOString();
    return item.occurredAt;
  }

  /** Repeats the check that took usage: its key tells whether it did. If not, what was allowed meanwhile counts under a key of its own. */
  async function wasTaken(item: Item): Promise<boolean> {
    const { update } = item;
    const consume = countBody(update);
    const { body } = await api.post(CHECKS, {
      ...subjectBody(update.on),
      features: [consume.feature],
      // The same request as the first, which said no time: an age is no part of it.
      consume: hasNoAges ? consume : { ...consume, ageMs: ageOf(item) },
    });
    if ((body.consumed as { accepted?: boolean } | undefined)?.accepted === true) return true;
    item.isTaken = false;
    item.update = { ...update, idempotencyKey: `${update.idempotencyKey.slice(-190)}/later` };
    return false;
  }

  /** What is refused for its time was not counted: it stays, and is sent once more with another one. */
  function refuse(refused: readonly Item[], error: TesseraError): void {
    const [, field] = /(ageMs|occurredAt)$/.exec(error.issues[0]?.path ?? '') ?? [];
    if (field === 'ageMs') hasNoAges = true;
    const ended = refused.filter((item) => {
      const isLast = !field || item.isTimedAgain;
      item.isTimedAgain = true;
      item.occurredAt = undefined;
      return isLast;
    });
    for (const item of ended) items.delete(item);
    if (ended[0])
      handOver(
        ended.map(({ update }) => update),
        error,
      );
  }

  function handOver(updates: readonly CountedUpdate[], error: TesseraError): void {
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

const ageOf = ({ happenedAt }: Item) => Math.max(0, Math.round(elapsedMs() - happenedAt));

const isRunning = (running: Running | null): running is Running =>
  running !== null && elapsedMs() < running.endsAt;

type WaitUntil = NonNullable<TesseraOptions['waitUntil']>;
interface Platform {
  readonly Netlify?: { readonly context?: { readonly waitUntil?: WaitUntil } };
  readonly [name: symbol]:
    | { readonly get?: () => { readonly waitUntil?: WaitUntil } | undefined }
    | undefined;
}

function platformWaitUntil(): WaitUntil | undefined {
  const platform = globalThis as unknown as Platform;
  const context = platform[Symbol.for('@vercel/request-context')]?.get?.() ?? platform.Netlify?.context;
  return context?.waitUntil?.bind(context);
}
