/** Changes the user's own profile, sessions and account. */
import { useMutation } from '@tanstack/react-query';
import { answerOf } from '#web/api/auth-call.ts';
import { authClient } from '#web/api/auth-client.ts';
import { toast } from '#web/toast.ts';
import { useLeave } from './use-leave.ts';

export const useUpdateProfile = () =>
  useMutation({ mutationFn: (body: { name: string }) => answerOf(authClient.updateUser(body)) });

export const useRevokeOtherSessions = () =>
  useMutation({
    mutationFn: () => answerOf(authClient.revokeOtherSessions()),
    onSuccess: () => toast.success('Signed out everywhere else'),
  });

/** Ends this session too. */
export const useRevokeSessions = () => useLeave(authClient.revokeSessions);

/** The link leads back to the account page. */
export const useMailDeletionLink = (email: string) =>
  useMutation({
    mutationFn: () => answerOf(authClient.mailDeletionLink()),
    onSuccess: () => toast.success(`A link was sent to ${email}`),
  });

/** Shows no errors. */
export const useDeleteAccount = () =>
  useLeave(authClient.deleteUser, {
    onLeft: () => toast.success('Your account has been deleted'),
    isReplacing: true,
    isErrorShown: true,
  });
