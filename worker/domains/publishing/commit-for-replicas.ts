/** Commits a change that every environment depends on, together with the messages that publish it to their replicas. */
import type { SQL } from 'drizzle-orm';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { everyEnvironmentChange } from './workspace-change.ts';

/** A concurrent creation of an environment is rare; one in every try does not happen. */
const MAX_TRIES = 5;

/**
 * As commitIf, and committed only together with a message for each environment that exists at that moment: when one was
 * created or deleted meanwhile, it tries again.
 * @param statements may depend on the environments; called again for each try
 * @returns the first condition that is false, or null when all was committed and announced
 */
export async function commitForReplicas<Name extends string>(
  ctx: WorkContext,
  scope: Scope,
  conditions: Readonly<Record<Name, SQL>>,
  statements: readonly Statement[] | ((environmentIds: readonly string[]) => readonly Statement[]),
): Promise<Name | null> {
  for (let tries = 1; ; tries++) {
    const change = await everyEnvironmentChange(ctx, scope);
    const unmet = await commitIf<Name | 'knowsAll'>(ctx.db, { ...conditions, knowsAll: change.knowsAll }, [
      ...(typeof statements === 'function' ? statements(change.environmentIds) : statements),
      ...change.statements,
    ]);
    if (unmet === null) {
      change.announce();
      return null;
    }
    if (unmet !== 'knowsAll') return unmet;
    if (tries === MAX_TRIES) throw new Error('The environments change faster than they can be published');
  }
}
