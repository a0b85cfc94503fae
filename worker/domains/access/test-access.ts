/**
 * A check of the preview environment as the console tries it: the same code as for customers' applications, with what
 * decided each value beside the answer. It is neither recorded nor counted.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type { AccessCheckAnswer, AccessCheckRequest } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';
import { type Explanation, explain } from '#engine/entitlements/explain';
import { plansOf } from '#engine/entitlements/plans-of';
import { resolve } from '#engine/entitlements/resolve';
import { environment } from '#worker/db/schema/environments';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { checkAccess } from './check-access.ts';
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

/** @throws {ApiError} not-found while the preview environment has not been published yet */
export async function testAccess(
  ctx: RequestContext,
  { orgId }: Scope,
  request: AccessCheckRequest,
  keyType: ApiKeyType,
): Promise<TestedAccess> {
  const [preview] = await ctx.db
    .select({ id: environment.id })
    .from(environment)
    .where(and(eq(environment.orgId, orgId), eq(environment.type, 'preview'), isNull(environment.deletedAt)));
  const loaded =
    preview === undefined ? null : await snapshotCacheOf(ctx.env).get(preview.id, ctx.place, ctx.waitUntil);
  if (loaded === null) throw notFound('The preview environment');

  const { userJwt } = request;
  const { identity, planSlugs, head, features } = checkAccess(
    { loaded, key: { id: 'console', type: keyType } },
    request,
    {
      requestId: ctx.requestId,
      now: ctx.now,
      isExplained: false,
      verdict: userJwt === undefined ? undefined : await reachVerdict(loaded, userJwt, ctx.now),
    },
  );
  const response = JSON.parse(`${head},"features":${features}}`) as AccessCheckAnswer;
  const { prepared } = loaded;
  return {
    response,
    diagnostics: {
      storeData: { customerData: { isCustomer: response.customer.isCustomer } },
      plans: [...planSlugs],
      explanation: prepared === null ? [] : explain(resolve(prepared, plansOf(prepared, identity))),
    },
  };
}
