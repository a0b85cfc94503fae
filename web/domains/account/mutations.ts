/** Changes the user's own profile, sessions and account. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answerOf } from '#web/api/auth-call.ts';
import { authClient } from '#web/api/auth-client.ts';
import { paths } from '#web/paths.ts';
import { selectOrganisation } from '#web/session/selected-organisation.ts';
import { endSession, leaveDeliberately } from '#web/session/session.ts';
import { toast } from '#web/toast.ts';
import { discardUnsaved } from '#web/ui/guarded-forms.ts';

export const useUpdateProfile = () =>
  useMutation({ mutationFn: (body: { name: string }) => answerOf(authClient.updateUser(body)) });

export const useRevokeOtherSessions = () =>
  useMutation({
    mutationFn: () => answerOf(authClient.revokeOtherSessions()),
    onSuccess: () => toast.success('Signed out everywhere else'),
  });

/** Ends this session too. The route guard then navigates to /signin. */
export const useRevokeSessions = () =>
  useMutation({
    mutationFn: () => answerOf(authClient.revokeSessions()),
    onSuccess: () => endSession(),
  });

/** The link leads back to the account page. */
export const useMailDeletionLink = (email: string) =>
  useMutation({
    mutationFn: () => answerOf(authClient.mailDeletionLink()),
    onSuccess: () => toast.success(`A link was sent to ${email}`),
  });

/** As with log-out, session.ts ends the local session once /signin is on screen. */
export function useDeleteAccount() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (proof: { password: string } | { token: string }) =>
      leaveDeliberately(() => answerOf(authClient.deleteUser(proof))),
    onSuccess: () => {
      selectOrganisation(null);
      discardUnsaved();
      toast.success('Your account has been deleted');
      return navigate(paths.signIn, { replace: true, state: { hasLoggedOut: true } });
    },
  });
}
