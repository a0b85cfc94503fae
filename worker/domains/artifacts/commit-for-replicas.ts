/** Commits a change of what every environment depends on together with what makes it known to the replicas of every environment. */
import type { SQL } from 'drizzle-orm';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { everyEnvironmentChange } from './workspace-change.ts';

/** An environment made at the same moment is rare; one made in every try does not happen. */
const MAX_TRIES = 5;

/**
 * As commitIf. Where an environment was made or deleted in between, the change is made known to that one as well: it is
 * committed only with all environments of that very moment.
 * @param statements may depend on the environments; asked anew for each try
 * @returns the first condition that does not hold, or null when all was committed and announced
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
    if (tries === MAX_TRIES) throw new Error('The environments change faster than they can be told');
  }
}
