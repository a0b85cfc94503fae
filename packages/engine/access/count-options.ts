/** What a request asks to count. */
import type { Consume, CounterUpdateRequest } from '#contracts/public/metering';
import type { CountOptions } from './access-request.ts';
import { occurredAtOf } from './occurred-at.ts';

/** Of an access check. @param header Idempotency-Key; null without one @throws {ApiError} invalid-request naming consume.occurredAt */
export function consumeOptions(consume: Consume, header: string | null, now: number): CountOptions {
  const occurredAt = occurredAtOf(consume, 'consume.', now);
  return { kind: 'consume', count: { ...consume, enforce: true, occurredAt }, idempotencyHeader: header };
}

/** Of a counter update. @param header as for consumeOptions @throws {ApiError} invalid-request naming occurredAt */
export function updateOptions(
  { userIdentifier: _, userJwt: __, entityId: ___, enforce = false, ...count }: CounterUpdateRequest,
  header: string | null,
  now: number,
  event?: CountOptions['event'],
): CountOptions {
  const occurredAt = occurredAtOf(count, '', now);
  return { kind: 'update', count: { ...count, enforce, occurredAt }, idempotencyHeader: header, event };
}
