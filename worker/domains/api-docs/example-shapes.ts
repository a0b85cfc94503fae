/** Types of the OpenAPI document's examples, and the values that several examples share. */
import type { z } from 'zod';
import type { AccessCheckAnswer, accessCheckRequestSchema } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { PublicError } from '#contracts/public/errors';
import type { CounterUpdateAnswer, counterUpdateRequestSchema } from '#contracts/public/metering';

/** One request and its response. */
export interface Situation<Request, Answer> {
  readonly summary: string;
  readonly description: string;
  /** The minimal request. */
  readonly key: ApiKeyType;
  /** Absent: the operation's own. */
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent from calls without a body. */
  readonly request?: Request;
  readonly answer: Answer;
}

export type CheckSituation = Situation<z.input<typeof accessCheckRequestSchema>, AccessCheckAnswer>;
export type UpdateSituation = Situation<z.input<typeof counterUpdateRequestSchema>, CounterUpdateAnswer>;

/** One error response. Its name is unique within the operation. */
export interface Refusal {
  readonly summary: string;
  readonly answer: PublicError;
}

export const NOW = Date.UTC(2026, 10, 18, 9, 30);
export const NEXT_MONTH = Date.UTC(2026, 11, 1);
export const REQUEST_ID = 'req_01kaafz2wgq3v8h5t0rj6y9mnc';
export const USER = 'ada@example.com';
/** Header and payload of a real token, shortened in the middle. */
export const TOKEN =
  'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJlbWFpbCI6ImFkYUBleGFtcGxlLmNvbSJ9.MEUCIQDx';

const meter = (limit: number, used: number) => ({
  state: 'metered' as const,
  allowed: used < limit,
  limit,
  used,
  remaining: Math.max(0, limit - used),
});

/** A meter with a limit of 100 per calendar month. */
export const exportsMeter = (used: number) => ({
  ...meter(100, used),
  periodType: 'rolling' as const,
  periodCount: 1,
  periodLength: 'month' as const,
  resetsAt: NEXT_MONTH,
});

/** A lifetime meter with a limit of 10 resources. */
export const seatsMeter = (used: number) => ({
  ...meter(10, used),
  periodType: 'lifetime' as const,
  periodCount: null,
  periodLength: null,
  resetsAt: null,
});
