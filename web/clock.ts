/**
 * The time by the server's clock. Everything that is compared with an instant of the server uses it, because a browser's clock may be
 * hours off. Cloudflare adds the time to every answer; until the first one, the browser's clock counts.
 */

/** A smaller difference is the time that an answer takes. */
const TOLERANCE_MS = 30_000;

let lead = 0;
const listeners = new Set<() => void>();

/** @param date the `Date` header of an answer */
export function noteServerTime(date: string | null, receivedAt = Date.now()): void {
  const difference = Date.parse(date ?? '') - receivedAt;
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
