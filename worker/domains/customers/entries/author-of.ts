/** The columns that say who made a grant, an override or a balance. */
import type { CustomerScope } from '#worker/http/request-context';

/** @param scope without an actor: the service itself */
export function authorOf({ actor }: Pick<CustomerScope, 'actor'> | { readonly actor: null }) {
  if (actor === null) return { createdByUserId: null, createdByKey: null };
  return 'key' in actor
    ? { createdByUserId: null, createdByKey: actor.key }
    : { createdByUserId: actor.userId, createdByKey: null };
}
