// Messages between the test that kills a stream and workers/stream-worker.ts.

export const EVENTS_PER_GROUP = 5;

/** One group of consecutive events, which repeats with the same id and content. */
export interface GroupOrder {
  readonly number: number;
  readonly startAt: number;
}

export interface StreamState {
  /** Event ids of all pages. */
  readonly ids: readonly string[];
  readonly usage: number;
  /** Events in the charts of 30 days, which read days, and of 7 days, which read hours. */
  readonly charted: readonly number[];
  readonly denied: number;
}
