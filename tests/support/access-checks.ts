// Calls the public API as a customer's application does.
import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { PublicError } from '#contracts/public/errors';
import { REFUSALS } from '#contracts/public/refusals';

export interface CheckOptions {
  readonly body?: unknown;
  /** Sent as it is in place of `body`. */
  readonly text?: string | Uint8Array;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

export async function send(
  key: string | null,
  { body, text, query = '', headers }: CheckOptions = {},
): Promise<Response> {
  return exports.default.fetch(
    new Request(`http://localhost:4001/api/v1/access-checks${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: text ?? JSON.stringify(body ?? {}),
    }),
  );
}

/** A check that must succeed. */
export async function check(
  key: string,
  body: unknown = {},
  options: CheckOptions = {},
): Promise<AccessCheckAnswer> {
  const response = await send(key, { ...options, body });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(`Access check: ${response.status} ${JSON.stringify(answer)}`);
  return answer as AccessCheckAnswer;
}

/** A check that must be refused. */
export async function refusal(
  key: string | null,
  options: CheckOptions,
): Promise<{ status: number; body: PublicError; headers: Headers }> {
  const response = await send(key, options);
  const body = (await response.json()) as PublicError;
  expect(REFUSALS[body.code]).toBe(body.errorType);
  return { status: response.status, body, headers: response.headers };
}

/** What the answer says of one property. */
export function propertyOf(answer: AccessCheckAnswer, feature: string, property: string): unknown {
  return answer.features[feature]?.properties[property];
}
