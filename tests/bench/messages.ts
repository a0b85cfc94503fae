// What the benchmark and its child processes say to each other.

export type CandidateName =
  | 'bare'
  | 'bare-hono'
  | 'anonymous-check'
  | 'authenticated-check'
  | 'metered-check'
  | 'bounded-check'
  | 'counter-update'
  | 'bare-object'
  | 'bare-upsert'
  | 'single-updates'
  | 'joined-updates'
  | 'stripe-sync';

/** One HTTP request, sent over and over. */
export interface BenchRequest {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: readonly (readonly [string, string])[];
  /** CUSTOMER_PLACE in it is another customer's number each time, where the load has customers. */
  body: string;
  /** Where the server's memory can be looked into; absent: it cannot. */
  inspectorPort?: number;
}

export const CUSTOMER_PLACE = '#######';

/** How many updates 'joined-updates' makes in one call. */
export const JOINED_UPDATES = 50;

/** To serve-candidate.ts: which one, and where its bundle lies. */
export interface ServeOrder {
  candidate: CandidateName;
  bundlePath: string;
  /** Settings of this server only. */
  vars?: Readonly<Record<string, string>> | undefined;
}

/** To load.ts. */
export interface LoadOrder {
  request: BenchRequest;
  connections: number;
  /** Absent: until every customer has had one request. */
  seconds?: number;
  /** Each request is about the next of so many customers. */
  customers?: number;
}

/** From load.ts: how many answers came, and how many took how long. */
export interface LoadResult {
  answers: number;
  seconds: number;
  /** [microseconds, answers] of every latency that was seen, ascending. */
  latencies: [number, number][];
  /** Octets of one answer's body. */
  bodyBytes: number;
}

/** To workers/many-updates-worker.ts: `count` updates in one call, of one customer's five meters in turn. */
export interface UpdatesOrder {
  customer: string;
  count: number;
}

/** To the same: updates `from` to `to` of `of` that are spread over 400 days, of all meters of the environment in turn. */
export interface HistoryOrder {
  environmentId: string;
  customer: string;
  from: number;
  to: number;
  of: number;
}
