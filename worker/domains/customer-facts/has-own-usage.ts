/** Whether usage was counted under an identifier itself, in any data location of an environment. */
import { Refusal, retryAfter } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { readAffectedEnvironments } from './affected-environments.ts';
import { readUsageSince } from './update-ledgers.ts';

/** @throws {ApiError} unavailable: a ledger cannot be reached */
export async function hasOwnUsage(
  ctx: Pick<WorkContext, 'db' | 'env' | 'log'>,
  orgId: string,
  environmentId: string,
  identifier: string,
): Promise<boolean> {
  const environments = await readAffectedEnvironments(ctx.db, orgId, environmentId);
  try {
    return (await readUsageSince(ctx, environments, [identifier])).has(identifier);
  } catch {
    throw new Refusal(
      'unavailable',
      'usage-unavailable',
      'The usage of the email could not be read. Try again in a moment.',
      retryAfter(1),
    );
  }
}
