/** The right to change an organisation's team, for the calls that name the organisation in the body or the query. */
import { idSchema } from '#contracts/text';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { type Standing, standingOf } from './standing-of.ts';

export interface NamesOrganisation {
  readonly organizationId?: string | undefined;
  readonly organisationId?: string | undefined;
}

/** @throws {ApiError} as standingOf; invalid-request where no organisation is named, or two different ones */
export async function teamStanding(ctx: RequestContext, named: NamesOrganisation): Promise<Standing> {
  const inQuery = idSchema.safeParse(new URL(ctx.request.url).searchParams.get('organisationId')).data;
  const ids = [named.organizationId, named.organisationId, inQuery].filter((id) => id !== undefined);
  const [orgId] = ids;
  if (orgId === undefined) throw invalidField('organizationId', 'Required');
  if (ids.some((id) => id !== orgId))
    throw invalidField('organizationId', 'Names another organisation than the query');
  return standingOf(ctx, orgId, 'team-members:edit');
}

/** Only an owner (or platform staff) makes, changes or removes an owner. */
export function refuseUnlessOwner(scope: MemberScope): void {
  if (scope.role === 'owner' || scope.role === 'sudo') return;
  throw new ApiError('forbidden', 'Only an owner may do this');
}
