/** The columns that say who made a grant or an override. */
import type { CustomerScope } from '#worker/http/request-context';

export function authorOf({ actor }: CustomerScope) {
  return 'key' in actor
    ? { createdByUserId: null, createdByKey: actor.key }
    : { createdByUserId: actor.userId, createdByKey: null };
}
