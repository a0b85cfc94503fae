/**
 * POST /api/v1/counter-updates/batch: each update is counted, limited, billed and recorded as a call of its own, and answered as that
 * call would be. The updates of one identifier keep their order; those of different ones run side by side.
 */
import { canonicalOf } from '#contracts/public/identifiers';
import {
  type CounterUpdateRequest,
  type CounterUpdatesRequest,
  counterUpdateRequestSchema,
} from '#contracts/public/metering';
import { errorBody } from '#engine/access/api-error';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { ApiError, invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { asApiError } from '#worker/http/respond';
import { answerCounterUpdate } from './answer-counter-update.ts';
import type { CallBody } from './call-bodies.ts';
import { headerKeyOf } from './idempotency-header.ts';
import { type CallAllowance, takeCall } from './limit-calls.ts';
import type { PublicAnswer, PublicCall, PublicPart } from './public-call.ts';
import { refusalOutcome } from './record-call.ts';

interface Update {
  readonly call: PublicCall;
  readonly sent: unknown;
  /** Validated; or why it is refused. */
  readonly value: CounterUpdateRequest | ApiError;
}

/** @throws {ApiError} invalid-request */
export async function answerCounterUpdates(
  call: PublicCall,
  { value: { updates } }: CallBody<CounterUpdatesRequest>,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<PublicAnswer> {
  if (headerKeyOf(call) !== null)
    throw invalidField('Idempotency-Key', 'Send an idempotencyKey with each update');
  const { env, request, startedAt, authenticated } = call;
  let allowance: CallAllowance | undefined;
  const all = updates.map((sent, index): Update => {
    const own = { ...call, requestId: newId('req', startedAt) };
    try {
      // The call itself was taken as the first update.
      if (index > 0)
        allowance = takeCall(env, authenticated.key, request, startedAt, (work) => context.waitUntil(work));
      return { call: own, sent, value: parse(counterUpdateRequestSchema, sent) };
    } catch (error) {
      return { call: own, sent, value: asApiError(error, own.requestId, log) };
    }
  });
  const parts = new Map<Update, PublicPart>();
  const groups = Map.groupBy(all, ({ value }) => subjectOf(value));
  await Promise.all([...groups.values()].map((group) => answerGroup(group, parts)));
  const ordered = all.flatMap((update) => parts.get(update) ?? []);
  const results = ordered.map(({ text }) => text).join(',');
  return {
    text: `{"status":"success","requestId":"${call.requestId}","results":[${results}]}`,
    outcome: null,
    parts: ordered,
    allowance,
    recordedBody: null,
    ledgerMs: ordered.reduce((longest, { ledgerMs }) => Math.max(longest, ledgerMs), 0),
  };
}

/**
 * In order. Additions without a limit add up to the same in any order, so those that follow each other do not wait for each other; only the
 * first one does, which may have to load the customer.
 */
async function answerGroup(group: readonly Update[], parts: Map<Update, PublicPart>): Promise<void> {
  let added: Promise<void>[] = [];
  for (const [index, update] of group.entries()) {
    if (index > 0 && isAddition(update)) {
      added.push(answerOne(update).then((part) => void parts.set(update, part)));
      continue;
    }
    await Promise.all(added);
    added = [];
    parts.set(update, await answerOne(update));
  }
  await Promise.all(added);
}

function isAddition({ value }: Update): boolean {
  return !(
    value instanceof ApiError ||
    value.enforce ||
    value.resourceId !== undefined ||
    (value.by ?? 1) < 0
  );
}

/** Never rejects. */
async function answerOne({ call, sent, value }: Update): Promise<PublicPart> {
  const { requestId } = call;
  const beganAt = performance.now();
  try {
    if (value instanceof ApiError) throw value;
    const answer = await answerCounterUpdate(call, { sent, value });
    return { ...answer, requestId, totalMs: performance.now() - beganAt };
  } catch (thrown) {
    const error = asApiError(thrown, requestId, log);
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

/** What is refused depends on no order. */
function subjectOf(value: Update['value']): string {
  if (value instanceof ApiError) return '';
  const { userIdentifier, userJwt = '' } = value;
  return userIdentifier === undefined ? `jwt ${userJwt}` : `id ${canonicalOf(userIdentifier)}`;
}
