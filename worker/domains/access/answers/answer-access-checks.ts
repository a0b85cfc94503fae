/**
 * POST /api/v1/access-checks/batch: each check is limited, billed and recorded as a call of its own, and answered as that call would be. They
 * run at the same time, so what they need is read together (batch-effects.ts).
 */
import {
  type AccessCheckRequest,
  type AccessChecksRequest,
  batchedCheckSchema,
} from '#contracts/public/access';
import type { AccessEffects } from '#engine/access/access-effects';
import { textOf } from '#engine/access/render-check';
import type { Verdict } from '#engine/identity/check-claims';
import { Refusal } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import type { CallBody } from '../calls/call-bodies.ts';
import type { PublicAnswer, PublicCall, PublicPart } from '../calls/public-call.ts';
import { readQuery } from '../calls/read-query.ts';
import { batchEffects } from '../effects/batch-effects.ts';
import { getCachedVerdict, verifyUserToken } from '../effects/verify-user-token.ts';
import { checkAs } from './answer-access-check.ts';
import { answerOfParts, answerPart, type BatchedCall, takeCalls } from './batched-calls.ts';

/** Checks that run customers' code at the same time. */
const WORKFLOWS_AT_ONCE = 10;

type Check = BatchedCall<AccessCheckRequest>;

/** @throws {ApiError} invalid-request */
export async function answerAccessChecks(
  call: PublicCall,
  { value: { features, checks } }: CallBody<AccessChecksRequest>,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<PublicAnswer> {
  // It is refused as a whole for its query.
  readQuery(call.query, true);
  const only = features === undefined ? {} : { features };
  const { calls, allowance } = takeCalls<AccessCheckRequest>(call, checks, context, (sent) => {
    const value = { ...parse(batchedCheckSchema, sent), ...only };
    return { sent: { ...(sent as object), ...only }, value };
  });
  const { snapshot, prepared } = call.authenticated.loaded;
  const effects = batchEffects(call.env, snapshot);
  const atOnce = prepared !== null && effects.workflows.has(prepared) ? WORKFLOWS_AT_ONCE : calls.length;
  const parts: PublicPart[] = [];
  for (let from = 0; from < calls.length; from += atOnce)
    parts.push(...(await answerTogether(calls.slice(from, from + atOnce), effects)));
  return answerOfParts(call, parts, allowance);
}

/** Tokens first, so that the checks ask for what they need at the same time. Never rejects. */
async function answerTogether(checks: readonly Check[], effects: AccessEffects): Promise<PublicPart[]> {
  const startedAt = Date.now();
  const verifying = new Map<string, Promise<Verdict>>();
  const verdicts = await Promise.all(checks.map((check) => verdictOf(check, verifying)));
  return Promise.all(
    checks.map((check, index) =>
      answerPart(check, (body) => {
        const own = { ...check.call, startedAt: Math.max(check.call.startedAt, startedAt) };
        return checkAs(own, body, verdicts[index], textOf, effects);
      }),
    ),
  );
}

/** @param verifying by token */
function verdictOf(
  { call: { env, authenticated, startedAt }, body }: Check,
  verifying: Map<string, Promise<Verdict>>,
): Verdict | Promise<Verdict> | undefined {
  if (body instanceof Refusal || body.value.userJwt === undefined) return undefined;
  const { loaded } = authenticated;
  const { userJwt } = body.value;
  const known = getCachedVerdict(loaded, userJwt, startedAt) ?? verifying.get(userJwt);
  if (known !== undefined) return known;
  const verdict = verifyUserToken(env, loaded, userJwt, startedAt);
  verifying.set(userJwt, verdict);
  return verdict;
}
