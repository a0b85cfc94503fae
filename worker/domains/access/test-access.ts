/**
 * A check of the preview environment as the console tries it: the same code as for customers' applications, with what
 * decided each value beside the answer. It is neither recorded nor counted.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type { AccessCheckAnswer, AccessCheckRequest } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';
import { type CustomerFacts, NO_FACTS } from '#contracts/customer-facts';
import { type Explanation, explain } from '#engine/entitlements/explain';
import { environment } from '#worker/db/schema/environments';
import { readUsage, type Usage } from '#worker/domains/metering/read-usage';
import { invalidField, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { type Asked, askByFacts } from './ask-by-facts.ts';
import {
  type CheckContext,
  hasSameReads,
  identifyCheck,
  needsLedger,
  resolveCheck,
  textOf,
  writeCheck,
} from './check-access.ts';
import { snapshotCacheOf } from './snapshot-cache-of.ts';
import { reachVerdict } from './token-verdict.ts';

export interface TestedAccess {
  response: AccessCheckAnswer;
  diagnostics: {
    storeData: { customerData: { isCustomer: boolean } };
    plans: string[];
    explanation: Explanation[];
  };
}

/** @throws {ApiError} invalid-request; not-found while the preview environment has not been published yet */
export async function testAccess(
  ctx: RequestContext,
  { orgId }: Scope,
  request: AccessCheckRequest,
  keyType: ApiKeyType,
): Promise<TestedAccess> {
  if (request.consume !== undefined) throw invalidField('request.consume', 'The test check counts no usage');
  const [preview] = await ctx.db
    .select({ id: environment.id })
    .from(environment)
    .where(and(eq(environment.orgId, orgId), eq(environment.type, 'preview'), isNull(environment.deletedAt)));
  const loaded =
    preview === undefined ? null : await snapshotCacheOf(ctx.env).get(preview.id, ctx.place, ctx.waitUntil);
  if (loaded === null) throw notFound('The preview environment');

  const { userJwt } = request;
  const authenticated = { loaded, key: { id: 'console', type: keyType } };
  const context: CheckContext = {
    requestId: ctx.requestId,
    now: ctx.now,
    isExplained: false,
    verdict: userJwt === undefined ? undefined : await reachVerdict(loaded, userJwt, ctx.now),
  };
  const { now, env, place } = ctx;
  const { snapshot } = loaded;
  const identified = identifyCheck(authenticated, request, context);
  const { identifier } = identified.identity;
  const resolve = (facts: CustomerFacts) => resolveCheck(authenticated, identified, facts, now);
  let resolved = resolve(NO_FACTS);
  let usage: Usage | null = null;
  if (identifier !== null && needsLedger(authenticated, resolved)) {
    const { warnings } = identified;
    const subject = { env, snapshot, customer: identifier, now, warnings };
    const asked = await askByFacts(subject, resolved, {
      resolve,
      isAnswered: hasSameReads,
      async ask({ reads }, facts): Promise<Asked<Usage>> {
        const question = { customer: identifier, place, reads, now, consistency: 'local', facts } as const;
        const read = await readUsage(env, snapshot, question, warnings);
        return { result: read, news: read.news, isFromLedger: read.location !== null };
      },
    });
    resolved = asked.standing;
    usage = asked.result;
  }
  const { resolution } = resolved;
  const checked = writeCheck(authenticated, resolved, context, usage?.readings ?? null, null);
  const response = JSON.parse(textOf(checked)) as AccessCheckAnswer;
  return {
    response,
    diagnostics: {
      storeData: { customerData: { isCustomer: response.customer.isCustomer } },
      plans: [...checked.planSlugs],
      explanation: resolution === null ? [] : explain(resolution),
    },
  };
}
