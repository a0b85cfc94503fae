/** Runs an access check for a customer in any environment, as an application with a secret key would. Records and counts nothing. */
import type { customerEndpoints } from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import { accessEffects } from '#worker/domains/access/effects/production-effects';
import { runTestAccess } from '#worker/domains/access/tries/test-access';
import type { RequestContext, Scope } from '#worker/http/request-context';

/**
 * @param identifier canonical
 * @throws {ApiError} not-found: there is no such environment, or it has not been published yet
 */
export async function testCheck(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  environmentId: string,
  { features }: { readonly features?: readonly string[] | undefined },
): Promise<AnswerOf<typeof customerEndpoints.testCheck>> {
  const { response, diagnostics } = await runTestAccess(ctx, scope, {
    request: { userIdentifier: identifier, ...(features && { features: [...features] }) },
    keyType: 'secret',
    effects: accessEffects(ctx.env),
    seed: ctx.requestId,
    environmentId,
  });
  return { response, diagnostics };
}
