/** Refuses platform staff, who act in an organisation with support access, what would let them in after it has ended. */
import { ApiError } from '#worker/http/api-error';
import type { MemberScope } from '#worker/http/request-context';

/**
 * For everything that is a credential, or decides which ones are accepted.
 * @param what completes "Only members of the organisation can …"
 * @throws {ApiError} forbidden
 */
export function ensureIsMember({ role }: Pick<MemberScope, 'role'>, what: string): void {
  if (role === 'sudo') throw new ApiError('forbidden', `Only members of the organisation can ${what}`);
}
