/** Invites people, cancels invitations, removes members and changes roles. Each shows a toast on success. */
import type { Role } from '#contracts/console/permissions';
import { teamEndpoints } from '#contracts/console/team';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';
import { ROLE_LABELS } from './team-rows.ts';

export interface InviteInput {
  readonly email: string;
  readonly role: Role;
  readonly resend: boolean;
}

/** Also resends: a new invitation replaces the open one. @param isErrorShown a form shows the error */
export const useInviteMember = (orgId: string, isErrorShown = false) =>
  useChange(teamEndpoints.invite, (input: InviteInput) => ({ body: { ...input, organizationId: orgId } }), {
    isErrorShown,
    onSuccess: ({ email }) =>
      toast.success('Invite sent!', { description: `${email} has been invited to join.` }),
  });

export const useCancelInvitation = (orgId: string) =>
  useChange(
    teamEndpoints.cancelInvitation,
    (invitationId: string) => ({ body: { invitationId, organizationId: orgId } }),
    {
      onSuccess: ({ email }) =>
        toast.success('Invite cancelled', { description: `The invite for ${email} has been cancelled.` }),
    },
  );

/** Removes an invitation that is no longer open from the list. */
export const useClearInvitation = (orgId: string) =>
  useChange(teamEndpoints.clearInvitation, (invitationId: string) => ({ params: { orgId, invitationId } }), {
    onSuccess: () => toast.success('Invitation cleared'),
  });

export const useRemoveMember = (orgId: string) =>
  useChange(
    teamEndpoints.removeMember,
    (memberId: string) => ({ body: { memberIdOrEmail: memberId, organizationId: orgId } }),
    {
      onSuccess: ({ member }) =>
        toast.success('Team member removed', { description: `${member.user.email} has been removed.` }),
    },
  );

export interface ChangeRoleInput {
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
}

export const useChangeRole = (orgId: string) =>
  useChange(
    teamEndpoints.updateMemberRole,
    ({ memberId, role }: ChangeRoleInput) => ({ body: { memberId, role, organizationId: orgId } }),
    {
      onSuccess: (_, { email, role }) =>
        toast.success('Role changed', { description: `${email} now has the role ${ROLE_LABELS[role]}.` }),
    },
  );
