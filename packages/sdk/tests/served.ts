/** A `fetch` with an answer for each call, at the boundary of the network. */
import { vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';

export interface SentCall {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Served {
  readonly fetch: typeof globalThis.fetch;
  readonly calls: SentCall[];
}

type Reply = Response | Error | Promise<Response>;

export const CLIENT = { url: 'https://tessera.example', key: 'tsr_sec_test' };

/** @param reply a thrown or returned error is one of the network */
export function serve(reply: (call: SentCall, index: number) => Reply): Served {
  const calls: SentCall[] = [];
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const call = {
      path: new URL(String(input)).pathname,
      headers: new Headers(init.headers),
      body: JSON.parse(String(init.body ?? '{}')) as Record<string, unknown>,
    };
    calls.push(call);
    const answer = await reply(call, calls.length - 1);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { fetch: fetch as typeof globalThis.fetch, calls };
}

export const silence = () => new Promise<Response>(() => {});

export const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init);

export function refusal(status: number, errorType: string, headers: Record<string, string> = {}): Response {
  const body = { status: 'error', requestId: 'req_refused', errorType, message: `It is ${errorType}` };
  return Response.json(body, { status, headers });
}

export const METER = {
  state: 'metered',
  limit: 10,
  periodType: 'lifetime',
  periodCount: null,
  periodLength: null,
};

/** What the API answers about two features. @param validMs how long it is valid @param clockMs what its clock is ahead */
export function answer(change: Partial<AccessCheckAnswer> = {}, validMs = 60_000, clockMs = 0): object {
  const asOf = Date.now() + clockMs;
  return {
    status: 'success',
    requestId: 'req_answer',
    version: { artifactId: 'art_1', number: 3 },
    asOf,
    validUntil: asOf + validMs,
    identity: { isAuthenticated: true, method: 'identifier' },
    customer: { isCustomer: false, plans: ['team'] },
    features: {
      reports: {
        allowed: true,
        properties: {
          enabled: true,
          rows: 500,
          format: 'csv',
          runs: { ...METER, allowed: true, used: 4, remaining: 6, resetsAt: 1_800_000_000_000 },
        },
      },
      sso: { allowed: false, reason: 'not-in-plan', properties: { enabled: false } },
    },
    warnings: [],
    ...change,
  };
}

/** Keeps console.error quiet until the mocks are restored. @returns what was written to it */
export function hearErrors(): () => unknown[] {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  return () => said.mock.calls.flat();
}
