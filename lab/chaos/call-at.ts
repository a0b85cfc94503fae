// A call of the public API from a place in the world.
import type { Place } from './workspace.ts';

/** Below /api/v1. */
export type CallPath =
  | 'access-checks'
  | 'access-checks?explain=1'
  | 'counter-updates'
  | 'holds'
  | `holds/${string}`
  | `customers/${string}`;

/** Where the server is, who calls, and from where. */
export interface CallFrom {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly place: Place;
  readonly signal?: AbortSignal;
}

export function callAt(
  { baseUrl, secretKey, place, signal }: CallFrom,
  path: CallPath,
  body: object | undefined,
  { method = 'POST', idempotencyKey }: { readonly method?: string; readonly idempotencyKey?: string } = {},
): Promise<Response> {
  return fetch(`${baseUrl}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'x-dev-cf': JSON.stringify(place.cf),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}
