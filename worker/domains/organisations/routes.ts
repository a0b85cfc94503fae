/** Organisations, their settings and their people. */
import { currentUserEndpoints, organisationEndpoints } from '#contracts/console/organisations';
import { roleSchema } from '#contracts/console/permissions';
import { teamEndpoints } from '#contracts/console/team';
import { notFound } from '#worker/http/api-error';
import { type Route, route } from '#worker/http/route';
import { acceptInvitation } from './accept-invitation.ts';
import { cancelInvitation } from './cancel-invitation.ts';
import { clearInvitation } from './clear-invitation.ts';
import { createOrganisation } from './create-organisation.ts';
import { inviteMember } from './invite-member.ts';
import { getOrganisation, listOrganisationsOf, toOrganisation } from './organisation-store.ts';
import { rejectInvitation } from './reject-invitation.ts';
import { removeMember } from './remove-member.ts';
import { summariseOrganisation } from './summarise-organisation.ts';
import { findOpenInvitation, findPerson, listInvitationsTo, listTeam } from './team-store.ts';
import { updateDataLocations } from './update-data-locations.ts';
import { updateMemberRole } from './update-member-role.ts';
import { updateOrganisation } from './update-organisation.ts';

export const organisationRoutes: readonly Route[] = [
  route(organisationEndpoints.create, ({ ctx, caller, body }) => createOrganisation(ctx, caller, body)),
  route(organisationEndpoints.get, async ({ ctx, scope }) =>
    toOrganisation(await getOrganisation(ctx.db, scope), scope.permissions),
  ),
  route(organisationEndpoints.update, ({ ctx, scope, body }) => updateOrganisation(ctx, scope, body)),
  route(organisationEndpoints.updateQuickstart, async ({ ctx, scope, body }) => {
    const { quickstartStatus, quickstartIdIntegrationSkipped } = await updateOrganisation(ctx, scope, body);
    return { quickstartStatus, quickstartIdIntegrationSkipped };
  }),
  route(organisationEndpoints.updateDataLocations, async ({ ctx, scope, body }) => ({
    locations: await updateDataLocations(ctx, scope, body.locations),
  })),
  route(organisationEndpoints.summary, ({ ctx, scope }) => summariseOrganisation(ctx, scope)),
  route(organisationEndpoints.teamSummary, ({ ctx, scope }) => listTeam(ctx.db, scope, ctx.now)),
  route(organisationEndpoints.getUser, async ({ ctx, scope, params }) => {
    const person = await findPerson(ctx.db, scope, params.userId);
    if (person === null) throw notFound('The user');
    return person;
  }),

  route(currentUserEndpoints.organisations, async ({ ctx, caller }) =>
    (await listOrganisationsOf(ctx.db, caller.userId)).map(({ role, ...organisation }) => ({
      ...organisation,
      role: roleSchema.catch('member').parse(role),
    })),
  ),
  route(currentUserEndpoints.invitations, ({ ctx, caller }) =>
    listInvitationsTo(ctx.db, caller.email, ctx.now),
  ),
  route(currentUserEndpoints.invitation, async ({ ctx, params }) => {
    const found = await findOpenInvitation(ctx.db, params.invitationId, ctx.now);
    if (found === null) throw notFound('The invitation');
    return found;
  }),

  route(teamEndpoints.invite, ({ ctx, body }) => inviteMember(ctx, body)),
  route(teamEndpoints.cancelInvitation, ({ ctx, body }) => cancelInvitation(ctx, body)),
  route(teamEndpoints.clearInvitation, ({ ctx, scope, params }) =>
    clearInvitation(ctx, scope, params.invitationId),
  ),
  route(teamEndpoints.acceptInvitation, ({ ctx, caller, body }) =>
    acceptInvitation(ctx, caller, body.invitationId),
  ),
  route(teamEndpoints.rejectInvitation, ({ ctx, caller, body }) =>
    rejectInvitation(ctx, caller, body.invitationId),
  ),
  route(teamEndpoints.removeMember, ({ ctx, body }) => removeMember(ctx, body)),
  route(teamEndpoints.updateMemberRole, ({ ctx, body }) => updateMemberRole(ctx, body)),
];
