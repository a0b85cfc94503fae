/** Changes of the user's own profile, sessions and account. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { answerOf } from '../../api/auth-call.ts';
import { authClient } from '../../api/auth-client.ts';
import { paths } from '../../paths.ts';
import { selectOrganisation } from '../../session/selected-organisation.ts';
import { endSession } from '../../session/session.ts';

export const useUpdateProfile = () =>
  useMutation({ mutationFn: (body: { name: string }) => answerOf(authClient.updateUser(body)) });

export const useRevokeOtherSessions = () =>
  useMutation({
    mutationFn: () => answerOf(authClient.revokeOtherSessions()),
    onSuccess: () => toast.success('Signed out everywhere else'),
  });

/** This session ends with the others: the guard of the signed-in pages leads to /signin. */
export function useRevokeSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(authClient.revokeSessions()),
    onSuccess: () => endSession(client),
  });
}

/** As after logging out, the session counts as ended when /signin shows. */
export function useDeleteAccount() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => answerOf(authClient.deleteUser()),
    onSuccess: () => {
      selectOrganisation(null);
      toast.success('Your account has been deleted');
      return navigate(paths.signIn, { replace: true, state: { hasLoggedOut: true } });
    },
  });
}
