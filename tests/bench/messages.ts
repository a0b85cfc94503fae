// What the benchmark and its child processes say to each other.

export type CandidateName = 'bare' | 'bare-hono' | 'anonymous-check' | 'authenticated-check';

/** One HTTP request, sent over and over. */
export interface BenchRequest {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: readonly (readonly [string, string])[];
  body: string;
}

/** To serve-candidate.ts: which one, and where its bundle lies. */
export interface ServeOrder {
  candidate: CandidateName;
  bundlePath: string;
}

/** To load.ts. */
export interface LoadOrder {
  request: BenchRequest;
  connections: number;
  seconds: number;
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
