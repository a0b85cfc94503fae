/** How the examples of the description are written down, and the pieces that many of them share. */
import type { z } from 'zod';
import type { AccessCheckAnswer, accessCheckRequestSchema, PublicError } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';
import type { CounterUpdateAnswer, counterUpdateRequestSchema } from '#contracts/metering';

/** One call and its answer. */
export interface Situation<Request, Answer> {
  readonly summary: string;
  readonly description: string;
  /** The least that the call needs. */
  readonly key: ApiKeyType;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly request: Request;
  readonly answer: Answer;
}

export type CheckSituation = Situation<z.input<typeof accessCheckRequestSchema>, AccessCheckAnswer>;
export type UpdateSituation = Situation<z.input<typeof counterUpdateRequestSchema>, CounterUpdateAnswer>;

/** One refusal, by a name that is its own among those of the operation. */
export interface Refusal {
  readonly summary: string;
  readonly answer: PublicError;
}

export const NOW = Date.UTC(2026, 10, 18, 9, 30);
export const NEXT_MONTH = Date.UTC(2026, 11, 1);
export const REQUEST_ID = 'req_01kaafz2wgq3v8h5t0rj6y9mnc';
export const USER = 'ada@example.com';
/** Header and payload of a real token, with the middle left out. */
export const TOKEN =
  'eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYtMTEifQ.eyJlbWFpbCI6ImFkYUBleGFtcGxlLmNvbSJ9.MEUCIQDx';

/** A meter of 100 in every calendar month. */
export function exportsMeter(used: number) {
  return {
    state: 'metered' as const,
    allowed: used < 100,
    limit: 100,
    used,
    remaining: Math.max(0, 100 - used),
    periodType: 'rolling' as const,
    periodCount: 1,
    periodLength: 'month' as const,
    resetsAt: NEXT_MONTH,
  };
}

/** A meter of 10 resources, ever. */
export function seatsMeter(used: number) {
  return {
    state: 'metered' as const,
    allowed: used < 10,
    limit: 10,
    used,
    remaining: Math.max(0, 10 - used),
    periodType: 'lifetime' as const,
    periodCount: null,
    periodLength: null,
    resetsAt: null,
  };
}
