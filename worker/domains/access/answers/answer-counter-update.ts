/** POST /api/v1/counter-updates: counts usage of an identified customer and answers with the meter. */
import type { CounterUpdateRequest } from '#contracts/public/metering';
import { updateOptions } from '#engine/access/count-options';
import type { CallBody } from '../calls/call-bodies.ts';
import { headerKeyOf, withHeaderKey } from '../calls/idempotency-header.ts';
import type { PublicAnswer, PublicCall } from '../calls/public-call.ts';
import { answerCount } from './answer-count.ts';

/** @throws {ApiError} */
export async function answerCounterUpdate(
  call: PublicCall,
  { sent, value }: CallBody<CounterUpdateRequest>,
): Promise<PublicAnswer> {
  const idempotencyHeader = headerKeyOf(call);
  const options = updateOptions(value, idempotencyHeader, call.startedAt);
  return answerCount(call, value, options, withHeaderKey(sent, idempotencyHeader, ''));
}
