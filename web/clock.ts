/**
 * The time by the server's clock. Everything that is compared with an instant of the server uses it, because a browser's clock may be
 * hours off. Every answer of the API tells the time; without one, the browser's clock counts.
 */

import { TIME_HEADER } from '#contracts/public/time-header';

/** A smaller difference is the time that an answer takes. */
const TOLERANCE_MS = 30_000;

let lead = 0;
const listeners = new Set<() => void>();

/**
 * @param headers of an answer. One that waited tells an earlier time: in a cache, which adds `Age`, or in a computer that slept
 * @param sentAt when it was asked for, by the browser's clock
 */
export function noteServerTime(headers: Headers, sentAt: number, receivedAt = Date.now()): void {
  if (headers.has('age') || Math.abs(receivedAt - sentAt) >= TOLERANCE_MS) return;
  const difference = Number(headers.get(TIME_HEADER) ?? Number.NaN) - receivedAt;
  if (Number.isNaN(difference) || Math.abs(difference - lead) < TOLERANCE_MS) return;
  lead = Math.abs(difference) < TOLERANCE_MS ? 0 : difference;
  for (const listener of listeners) listener();
}

/** How many milliseconds the server's clock is ahead of the browser's; 0 if they agree. */
export const clockLead = (): number => lead;

/** Epoch milliseconds. */
export const now = (): number => toServerTime(Date.now());

/** An instant of the browser's clock by the server's. */
export const toServerTime = (at: number): number => at + lead;

/** @returns ends it */
export function onClockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
