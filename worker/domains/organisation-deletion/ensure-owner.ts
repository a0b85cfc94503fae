/** Platform staff never delete an organisation, whatever its owners have consented to. */
import { ApiError } from '#worker/http/api-error';
import type { MemberScope } from '#worker/http/request-context';

/** @throws {ApiError} forbidden */
export function ensureOwner({ role }: MemberScope): void {
  if (role !== 'owner') throw new ApiError('forbidden', 'Only owners can do this');
}
