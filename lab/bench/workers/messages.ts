// Messages between the benchmark and its child processes.
import type { Location } from '#contracts/public/locations';

export type CandidateName =
  | 'bare'
  | 'bare-hono'
  | 'anonymous-check'
  | 'authenticated-check'
  | 'metered-check'
  | 'bounded-check'
  | 'facts-check'
  | 'balances-check'
  | 'facts-update'
  | 'drawing-update'
  | 'counter-update'
  | 'settled-hold'
  | 'batched-updates'
  | 'evaluated-flags'
  | 'context-check'
  | 'bare-object'
  | 'bare-upsert'
  | 'anchor-check'
  | 'anchor-metered-check'
  | 'anchor-update'
  | 'single-updates'
  | 'joined-updates'
  | 'record-events'
  | 'stripe-sync'
  | 'memory'
  | 'sleepy'
  | 'workflows-1'
  | 'workflows-5'
  | 'workflows-20';

/** The HTTP request of a candidate, sent repeatedly. */
export interface BenchRequest {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: readonly (readonly [string, string])[];
  /** CUSTOMER_PLACE is replaced by a customer number, if the load has customers. */
  body: string;
  /** Inspector URL for the server's memory; absent if unavailable. */
  inspectorPort?: number;
}

export const CUSTOMER_PLACE = '#######';

/** Updates per call of 'joined-updates'. */
export const JOINED_UPDATES = 50;

/** To serve-candidate.ts: the candidate and the path of its bundle. */
export interface ServeOrder {
  candidate: CandidateName;
  bundlePath: string;
  /** Settings of this server. */
  vars?: Readonly<Record<string, string>> | undefined;
  /** Data locations of the organisation; its nearest one unless set. */
  locations?: readonly Location[] | undefined;
}

/** To load.ts. Orders that come together take turns, and end together. */
export interface LoadOrder {
  request: BenchRequest;
  connections: number;
  /** Absent: until every customer has one request. */
  seconds?: number;
  /** Number of customers; requests cycle through them. */
  customers?: number;
  /** Requests a second, of all connections together; absent: as many as are answered. */
  perSecond?: number;
  /** At random instants, as calls of many customers come, instead of evenly. */
  isRandom?: boolean;
  /** API keys that requests cycle through, in place of the request's own. */
  keys?: readonly string[];
  /** The status that every response must have; 200 unless set. */
  status?: number;
}

/** From load.ts: the number of responses and their latencies. */
export interface LoadResult {
  answers: number;
  /** Without other orders' turns. */
  seconds: number;
  /** [microseconds, responses] per latency, ascending. */
  latencies: [number, number][];
  /** Bytes of one response body. */
  bodyBytes: number;
}

/** To workers/sleepy-worker.ts: a check of each customer `from` to below `to`, every object being asleep before it. */
export interface SleepyOrder {
  secretKey: string;
  /** What Cloudflare says of callers, who take turns. */
  places: readonly object[];
  from: number;
  to: number;
  /** Every check is made by an isolate that knows nothing. */
  isCold: boolean;
}

/** What these checks used. */
export interface SleepyCounts extends BilledCounts {
  objectsBuilt: number;
  d1Statements: number;
}

/** To workers/memory-worker.ts: checks of the numbers from `from` to below `to`. */
export interface FillOrder {
  part:
    | 'organisations'
    | 'large organisations'
    | 'tokens'
    | 'facts'
    | 'facts of large features'
    | 'readings'
    | '1,000 meters'
    | '4,000 meters';
  from: number;
  to: number;
}

/** To workers/memory-worker.ts: as many snapshots of an environment. */
export interface SnapshotOrder {
  environment: number;
  count: number;
}

/** To workers/many-updates-worker.ts: `count` updates in one call, cycling through a customer's five meters. */
export interface UpdatesOrder {
  customer: string;
  count: number;
}

/** To the same: updates `from` to `to` out of `of`, spread over 400 days and all meters of the environment. */
export interface HistoryOrder {
  environmentId: string;
  customer: string;
  from: number;
  to: number;
  of: number;
}

/** To workers/events-worker.ts, about one organisation's event stream. */
export type EventsOrder =
  | { kind: 'record'; orgId: string; perSecond: number; seconds: number }
  /** How many rows the stream has written since it started, and the size of its database. */
  | { kind: 'rows'; orgId: string }
  /** `count` events in batches of `size`, one after the other. */
  | { kind: 'append'; orgId: string; size: number; count: number; at: number }
  /** Batches of `size` events with pauses, to the stream or the bare object; the events of both are sent to the sockets alike. */
  | {
      kind: 'publish';
      orgId: string;
      publisher: 'stream' | 'bare';
      batches: number;
      size: number;
      pauseMs: number;
      at: number;
    }
  /** Events `from` to `to` out of `of`, spread over the 30 days before `now`. */
  | { kind: 'fill'; orgId: string; from: number; to: number; of: number; now: number }
  /** Does at once what the object would do half a minute after the last append. */
  | { kind: 'settle'; orgId: string }
  | {
      kind: 'search';
      orgId: string;
      search: { text?: string; environmentId?: string; outcome?: 'denied'; timeTo?: number | null };
    }
  | { kind: 'metrics'; orgId: string; now: number; range: '7d' | '30d' };

export interface EventsResult {
  value: number;
  bytes?: number;
  /** Where a search continues. */
  nextQueryTimeTo?: number | null;
}

/** To watch-sockets.ts. */
export type WatchOrder = { kind: 'open'; url: string; count: number } | { kind: 'count' } | { kind: 'close' };

export interface WatchResult {
  /** Since the process started. */
  messages: number;
}

/** From workers/counted-worker.ts: what the platform bills, since the server started. */
export interface BilledCounts {
  /** Calls of objects, alarms included. */
  objectRequests: number;
  /** The time in which objects had a call, of all objects. */
  activeMs: number;
  rowsRead: number;
  rowsWritten: number;
  queueMessages: number;
  d1RowsWritten: number;
  storedBytes: number;
}
