/** Permission to change an organisation's team, for the calls that name the organisation in the body or the query. */
import { idSchema } from '#contracts/public/text';
import { requireMembership } from '#worker/domains/sessions/require-membership';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';

export interface NamesOrganisation {
  readonly organizationId?: string | undefined;
  readonly organisationId?: string | undefined;
}

/** @throws {ApiError} as requireMembership; invalid-request when no organisation is named, or two different ones are */
export async function requireTeamEditor(ctx: RequestContext, named: NamesOrganisation): Promise<MemberScope> {
  const inQuery = idSchema.safeParse(new URL(ctx.request.url).searchParams.get('organisationId')).data;
  const ids = [named.organizationId, named.organisationId, inQuery].filter((id) => id !== undefined);
  const [orgId] = ids;
  if (orgId === undefined) throw invalidField('organizationId', 'Required');
  if (ids.some((id) => id !== orgId))
    throw invalidField('organizationId', 'Must be the organisation in the query');
  return requireMembership(ctx, orgId, { permission: 'team-members:edit' });
}

/** Only owners may add, change or remove an owner or an owner's invitation. */
export function mayManageOwners({ role }: MemberScope): boolean {
  return role === 'owner';
}

/** @throws {ApiError} forbidden */
export function ensureMayManageOwners(scope: MemberScope): void {
  if (!mayManageOwners(scope)) throw onlyOwners();
}

export function onlyOwners(): ApiError {
  return new ApiError('forbidden', 'Only owners can do this');
}
