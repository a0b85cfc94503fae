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
import { invalidField, Refusal } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import type { CallBody } from '../calls/call-bodies.ts';
import { headerKeyOf } from '../calls/idempotency-header.ts';
import type { PublicAnswer, PublicCall, PublicPart } from '../calls/public-call.ts';
import { answerCounterUpdate } from './answer-counter-update.ts';
import { answerOfParts, answerPart, type BatchedCall, takeCalls } from './batched-calls.ts';

type Update = BatchedCall<CounterUpdateRequest>;

/** @throws {ApiError} invalid-request */
export async function answerCounterUpdates(
  call: PublicCall,
  { value: { updates } }: CallBody<CounterUpdatesRequest>,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<PublicAnswer> {
  if (headerKeyOf(call) !== null)
    throw invalidField('Idempotency-Key', 'Send an idempotencyKey with each update');
  const { calls, allowance } = takeCalls<CounterUpdateRequest>(call, updates, context, (sent) => ({
    sent,
    value: parse(counterUpdateRequestSchema, sent),
  }));
  const parts = new Map<Update, PublicPart>();
  const groups = Map.groupBy(calls, subjectOf);
  await Promise.all([...groups.values()].map((group) => answerGroup(group, parts)));
  const ordered = calls.flatMap((update) => parts.get(update) ?? []);
  return answerOfParts(call, ordered, allowance);
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

function isAddition({ body }: Update): boolean {
  if (body instanceof Refusal) return false;
  const { enforce, resourceId, by = 1 } = body.value;
  return !enforce && resourceId === undefined && by >= 0;
}

function answerOne(update: Update): Promise<PublicPart> {
  return answerPart(update, (body) => answerCounterUpdate(update.call, body));
}

/** What is refused depends on no order. */
function subjectOf({ body }: Update): string {
  if (body instanceof Refusal) return '';
  const { userIdentifier, userJwt = '' } = body.value;
  return userIdentifier === undefined ? `jwt ${userJwt}` : `id ${canonicalOf(userIdentifier)}`;
}
