/** Invites people, cancels invitations, removes members and changes roles. Each shows a toast on success. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '#contracts/console/permissions';
import { teamEndpoints } from '#contracts/console/team';
import { call } from '#web/api/call.ts';
import { toast } from '#web/toast.ts';
import { teamQuery } from './queries.ts';
import { ROLE_LABELS } from './team-rows.ts';

export interface InviteInput {
  readonly email: string;
  readonly role: Role;
  readonly resend: boolean;
}

/** Also resends: a new invitation replaces the open one. @param isErrorShown a form shows the error */
export function useInviteMember(orgId: string, isErrorShown = false) {
  return useMutation({
    meta: { isErrorShown },
    mutationFn: (body: InviteInput) =>
      call(teamEndpoints.invite, { body: { ...body, organizationId: orgId } }),
    onSuccess: ({ email }) =>
      toast.success('Invite sent!', { description: `${email} has been invited to join.` }),
    onSettled: useRefreshTeam(orgId),
  });
}

export function useCancelInvitation(orgId: string) {
  return useMutation({
    mutationFn: (invitationId: string) =>
      call(teamEndpoints.cancelInvitation, { body: { invitationId, organizationId: orgId } }),
    onSuccess: ({ email }) =>
      toast.success('Invite cancelled', { description: `The invite for ${email} has been cancelled.` }),
    onSettled: useRefreshTeam(orgId),
  });
}

/** Removes an invitation that is no longer open from the list. */
export function useClearInvitation(orgId: string) {
  return useMutation({
    mutationFn: (invitationId: string) =>
      call(teamEndpoints.clearInvitation, { params: { orgId, invitationId } }),
    onSuccess: () => toast.success('Invitation cleared'),
    onSettled: useRefreshTeam(orgId),
  });
}

export function useRemoveMember(orgId: string) {
  return useMutation({
    mutationFn: (memberId: string) =>
      call(teamEndpoints.removeMember, { body: { memberIdOrEmail: memberId, organizationId: orgId } }),
    onSuccess: ({ member }) =>
      toast.success('Team member removed', { description: `${member.user.email} has been removed.` }),
    onSettled: useRefreshTeam(orgId),
  });
}

export interface ChangeRoleInput {
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
}

export function useChangeRole(orgId: string) {
  return useMutation({
    mutationFn: ({ memberId, role }: ChangeRoleInput) =>
      call(teamEndpoints.updateMemberRole, { body: { memberId, role, organizationId: orgId } }),
    onSuccess: (_, { email, role }) =>
      toast.success('Role changed', { description: `${email} now has the role ${ROLE_LABELS[role]}.` }),
    onSettled: useRefreshTeam(orgId),
  });
}

/** Runs after failures too, because a failure often means that somebody else changed the team. */
function useRefreshTeam(orgId: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: teamQuery(orgId).queryKey });
}
