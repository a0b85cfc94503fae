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
import { errorBody } from '#engine/access/api-error';
import { textOf } from '#engine/access/render-check';
import type { Verdict } from '#engine/identity/check-claims';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { ApiError } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { asApiError } from '#worker/http/respond';
import { checkAs } from './answer-access-check.ts';
import { batchEffects } from './batch-effects.ts';
import type { CallBody } from './call-bodies.ts';
import { type CallAllowance, takeCall } from './limit-calls.ts';
import type { PublicAnswer, PublicCall, PublicPart } from './public-call.ts';
import { readQuery } from './read-query.ts';
import { refusalOutcome } from './record-call.ts';
import { getCachedVerdict, verifyUserToken } from './verify-user-token.ts';

/** Checks that run customers' code at the same time. */
const WORKFLOWS_AT_ONCE = 10;

interface Check {
  readonly call: PublicCall;
  /** As the call for it alone would have sent it; or why it is refused. */
  readonly body: CallBody<AccessCheckRequest> | ApiError;
}

/** @throws {ApiError} invalid-request */
export async function answerAccessChecks(
  call: PublicCall,
  { value: { features, checks } }: CallBody<AccessChecksRequest>,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<PublicAnswer> {
  const { env, request, startedAt, authenticated } = call;
  // It is refused as a whole for its query.
  readQuery(call.query, true);
  const only = features === undefined ? {} : { features };
  let allowance: CallAllowance | undefined;
  const all = checks.map((sent, index): Check => {
    const own = { ...call, requestId: newId('req', startedAt) };
    try {
      // The call itself was taken as the first check.
      if (index > 0)
        allowance = takeCall(env, authenticated.key, request, startedAt, (work) => context.waitUntil(work));
      const value = { ...parse(batchedCheckSchema, sent), ...only };
      return { call: own, body: { sent: { ...(sent as object), ...only }, value } };
    } catch (error) {
      return { call: own, body: asApiError(error, own.requestId, log) };
    }
  });
  const { snapshot, prepared } = authenticated.loaded;
  const effects = batchEffects(env, snapshot);
  const atOnce = prepared !== null && effects.workflows.has(prepared) ? WORKFLOWS_AT_ONCE : all.length;
  const parts: PublicPart[] = [];
  for (let from = 0; from < all.length; from += atOnce)
    parts.push(...(await answerTogether(all.slice(from, from + atOnce), effects)));
  const results = parts.map(({ text }) => text).join(',');
  return {
    text: `{"status":"success","requestId":"${call.requestId}","results":[${results}]}`,
    outcome: null,
    parts,
    allowance,
    recordedBody: null,
    ledgerMs: parts.reduce((longest, { ledgerMs }) => Math.max(longest, ledgerMs), 0),
  };
}

/** Tokens first, so that the checks ask for what they need at the same time. Never rejects. */
async function answerTogether(checks: readonly Check[], effects: AccessEffects): Promise<PublicPart[]> {
  const startedAt = Date.now();
  const verifying = new Map<string, Promise<Verdict>>();
  const verdicts = await Promise.all(checks.map((check) => verdictOf(check, verifying)));
  return Promise.all(
    checks.map(async ({ call, body }, index): Promise<PublicPart> => {
      const { requestId } = call;
      const beganAt = performance.now();
      try {
        if (body instanceof ApiError) throw body;
        const own = { ...call, startedAt: Math.max(call.startedAt, startedAt) };
        const answer = await checkAs(own, body, verdicts[index], textOf, effects);
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
    }),
  );
}

/** @param verifying by token */
function verdictOf(
  { call: { env, authenticated, startedAt }, body }: Check,
  verifying: Map<string, Promise<Verdict>>,
): Verdict | Promise<Verdict> | undefined {
  if (body instanceof ApiError || body.value.userJwt === undefined) return undefined;
  const { loaded } = authenticated;
  const { userJwt } = body.value;
  const known = getCachedVerdict(loaded, userJwt, startedAt) ?? verifying.get(userJwt);
  if (known !== undefined) return known;
  const verdict = verifyUserToken(env, loaded, userJwt, startedAt);
  verifying.set(userJwt, verdict);
  return verdict;
}
