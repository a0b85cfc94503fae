/**
 * What batches of calls share: each call of one is taken from the key's limit, validated, refused and recorded as the call for it alone
 * would be.
 */
import { errorBody } from '#engine/access/api-error';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { Refusal } from '#worker/http/api-error';
import { asRefusal } from '#worker/http/as-refusal';
import type { CallBody } from '../calls/call-bodies.ts';
import { type CallAllowance, takeCall } from '../calls/limit-calls.ts';
import type { PublicAnswer, PublicCall, PublicPart } from '../calls/public-call.ts';
import { refusalOutcome } from '../calls/record-call.ts';

export interface BatchedCall<Value> {
  readonly call: PublicCall;
  /** As the call for it alone would have sent it; or why it is refused. */
  readonly body: CallBody<Value> | Refusal;
}

export interface TakenCalls<Value> {
  readonly calls: readonly BatchedCall<Value>[];
  /** Undefined for a batch of one, which the call itself is. */
  readonly allowance: CallAllowance | undefined;
}

/** @param read the body of one. It throws an ApiError if that is refused, and the others are not. */
export function takeCalls<Value>(
  call: PublicCall,
  items: readonly unknown[],
  context: Pick<ExecutionContext, 'waitUntil'>,
  read: (sent: unknown) => CallBody<Value>,
): TakenCalls<Value> {
  const { env, request, startedAt, authenticated } = call;
  let allowance: CallAllowance | undefined;
  const calls = items.map((sent, index): BatchedCall<Value> => {
    const own = { ...call, requestId: newId('req', startedAt) };
    try {
      // The call itself was taken as the first one.
      if (index > 0)
        allowance = takeCall(env, authenticated.key, request, startedAt, (work) => context.waitUntil(work));
      return { call: own, body: read(sent) };
    } catch (error) {
      return { call: own, body: asRefusal(error, own.requestId, log) };
    }
  });
  return { calls, allowance };
}

/** Never rejects. */
export async function answerPart<Value>(
  { call, body }: BatchedCall<Value>,
  answer: (body: CallBody<Value>) => PublicAnswer | Promise<PublicAnswer>,
): Promise<PublicPart> {
  const { requestId } = call;
  const beganAt = performance.now();
  try {
    if (body instanceof Refusal) throw body;
    const answered = await answer(body);
    return { ...answered, requestId, totalMs: performance.now() - beganAt };
  } catch (thrown) {
    const error = asRefusal(thrown, requestId, log);
    return {
      requestId,
      text: JSON.stringify(errorBody(error, requestId)),
      // Beyond the limit of the key nothing is recorded.
      outcome: error.errorType === 'rate-limited' ? null : refusalOutcome(error, requestId),
      recordedBody: null,
      ledgerMs: 0,
      totalMs: performance.now() - beganAt,
    };
  }
}

/** The answer with the parts' results, in their order. */
export function answerOfParts(
  { requestId }: PublicCall,
  parts: readonly PublicPart[],
  allowance: CallAllowance | undefined,
): PublicAnswer {
  const results = parts.map(({ text }) => text).join(',');
  return {
    text: `{"status":"success","requestId":"${requestId}","results":[${results}]}`,
    outcome: null,
    parts,
    allowance,
    recordedBody: null,
    ledgerMs: parts.reduce((longest, { ledgerMs }) => Math.max(longest, ledgerMs), 0),
  };
}
