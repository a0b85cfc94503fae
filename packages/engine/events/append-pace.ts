/**
 * How often isolates send an organisation's events. Each send costs a request and a row, whatever the number of events, so they come
 * often only while somebody looks, and seldom when there are more isolates than one object can serve.
 */
import { BoundedCache } from '../cache/bounded-cache.ts';
import { isOverloaded } from '../outages/breakers.ts';

/** While somebody watches or reads; and before the stream has said anything. */
const WATCHED_PAUSE_MS = 250;
const PAUSE_MS = 1_000;
/** Only where the stream would refuse otherwise. */
const LONGEST_PAUSE_MS = 10_000;
/** Somebody who has read will read again. */
const READER_MS = 60_000;
/** Half of what the platform gives one object. */
const MAX_APPENDS_PER_SECOND = 500;
const SECOND_MS = 1_000;
/** After an error or silence, the stream is not called for this long. */
const REST_MS = 2_000;
const MAX_ORGANISATIONS = 10_000;

/** In the stream: answers with the pause. */
export class AppendPace {
  #readAt = Number.NEGATIVE_INFINITY;
  #secondAt = Number.NEGATIVE_INFINITY;
  #appends = 0;
  /** With this pause all isolates together come as often as the stream can serve; 0: they come less often anyway. */
  #spreadMs = 0;
  #answeredMs = WATCHED_PAUSE_MS;

  note(now: number): void {
    const elapsedMs = now - this.#secondAt;
    if (elapsedMs >= SECOND_MS || elapsedMs < 0) {
      this.#spread(Number.isFinite(elapsedMs) ? Math.max(elapsedMs, SECOND_MS) : SECOND_MS);
      this.#secondAt = now;
      this.#appends = 0;
    }
    this.#appends += 1;
  }

  noteReader(now: number): void {
    this.#readAt = now;
  }

  pauseMs(now: number, isWatched: boolean): number {
    const isRead = isWatched || now - this.#readAt < READER_MS;
    this.#answeredMs = Math.max(isRead ? WATCHED_PAUSE_MS : PAUSE_MS, this.#spreadMs);
    return this.#answeredMs;
  }

  #spread(elapsedMs: number): void {
    const perSecond = (this.#appends * SECOND_MS) / elapsedMs;
    const wanted = (this.#answeredMs * perSecond) / MAX_APPENDS_PER_SECOND;
    this.#spreadMs = wanted <= WATCHED_PAUSE_MS ? 0 : Math.min(LONGEST_PAUSE_MS, wanted);
  }
}

/** In an isolate: when to send each organisation's events, and whether to the stream, as the streams have answered or refused. */
export class SendPace {
  readonly #pauses = new BoundedCache<string, number>(MAX_ORGANISATIONS / 2);
  readonly #restUntil = new BoundedCache<string, number>(MAX_ORGANISATIONS / 2);

  /** How long to gather events before they are sent. */
  pauseMs(orgId: string): number {
    return this.#pauses.get(orgId) ?? WATCHED_PAUSE_MS;
  }

  /** Whether to call the stream. After an error, or silence, it rests. */
  mayCall(orgId: string, now: number): boolean {
    return (this.#restUntil.get(orgId) ?? 0) <= now;
  }

  /** @param answer of the stream; one of the previous release says nothing about the pause */
  succeed(orgId: string, answer: { readonly pauseMs?: number } | number | undefined): void {
    if (this.#restUntil.size > 0) this.#restUntil.delete(orgId);
    const pauseMs = typeof answer === 'object' ? answer.pauseMs : undefined;
    if (pauseMs === undefined || pauseMs === this.#pauses.get(orgId)) return;
    this.#pauses.set(orgId, Math.min(LONGEST_PAUSE_MS, Math.max(WATCHED_PAUSE_MS, pauseMs)));
  }

  fail(orgId: string, now: number, error: unknown): void {
    this.#restUntil.set(orgId, now + REST_MS);
    if (!isOverloaded(error)) return;
    this.#pauses.set(orgId, Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, 2 * this.pauseMs(orgId))));
  }
}
