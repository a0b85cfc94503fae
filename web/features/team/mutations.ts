/** Inviting people, taking invitations back, removing members and changing their roles; each is told in a toast. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { Role } from '#contracts/permissions';
import { teamEndpoints } from '#contracts/team';
import { call } from '../../api/call.ts';
import { teamQuery } from './queries.ts';
import { ROLE_LABELS } from './team-rows.ts';

export interface InviteInput {
  readonly email: string;
  readonly role: Role;
  readonly resend: boolean;
}

/** Also sends an invitation again: a new one takes the place of the open one. */
export function useInviteMember(orgId: string) {
  return useMutation({
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
      toast.success('Role changed', { description: `${email} is now: ${ROLE_LABELS[role]}.` }),
    onSettled: useRefreshTeam(orgId),
  });
}

/** Also after a refusal: what was refused may be gone, or somebody else's doing. */
function useRefreshTeam(orgId: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: teamQuery(orgId).queryKey });
}
