/** Joins and declines organisations. Loaded with the banner that asks. */
import { teamEndpoints } from '#contracts/console/team';
import { ApiError } from '#web/api/api-error.ts';
import { authClient } from '#web/api/auth-client.ts';
import { useChange } from '#web/api/use-change.ts';

/** An email that is not proved yet is refused and gets a link, which the error asks to open. */
export const useAcceptInvitation = () =>
  useChange(teamEndpoints.acceptInvitation, (invitationId: string) => ({ body: { invitationId } }), {
    onError: (error) => {
      const isUnproved = error instanceof ApiError && error.issues.some(({ path }) => path === 'email');
      if (isUnproved) void authClient.requestEmailLink();
    },
  });

export const useRejectInvitation = () =>
  useChange(teamEndpoints.rejectInvitation, (invitationId: string) => ({ body: { invitationId } }));
