/** The current time for ages and rates. Every component that shows one has the same clock, which ticks while any is shown. */
import { useSyncExternalStore } from 'react';
import { now, onClockChange } from '#web/clock.ts';

const TICK_MS = 1_000;

const listeners = new Set<() => void>();
let current = 0;
let readAt = Number.NEGATIVE_INFINITY;
let stop: (() => void) | undefined;

function tick(): void {
  readAt = Number.NEGATIVE_INFINITY;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (stop === undefined) {
    const timer = setInterval(tick, TICK_MS);
    const stopFollowing = onClockChange(tick);
    stop = () => {
      clearInterval(timer);
      stopFollowing();
    };
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
  };
}

/** The same for all that render within a second. */
function read(): number {
  if (Math.abs(Date.now() - readAt) >= TICK_MS) {
    current = now();
    readAt = Date.now();
  }
  return current;
}

/** @param stepMs how often it changes, a second or more @returns epoch milliseconds, a whole number of steps */
export function useNow(stepMs: number): number {
  const snapshot = () => Math.floor(read() / stepMs) * stepMs;
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
