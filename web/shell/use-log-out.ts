/**
 * Signs out and navigates to /signin. Asks before unsaved input is lost: afterwards the session is over.
 * session.ts ends the local session after a delay, so that no guard redirects first.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answerOf } from '#web/api/auth-call.ts';
import { authClient } from '#web/api/auth-client.ts';
import { paths } from '#web/paths.ts';
import { selectOrganisation } from '#web/session/selected-organisation.ts';
import { leaveDeliberately } from '#web/session/session.ts';
import { discardUnsaved, mayLeave } from '#web/ui/guarded-forms.ts';

export function useLogOut() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: () =>
      leaveDeliberately(async () => {
        await client.cancelQueries(); // A read that is answered after the sign-out would fail as unauthenticated.
        return answerOf(authClient.signOut());
      }),
    onSuccess: () => {
      selectOrganisation(null);
      discardUnsaved();
      return navigate(paths.signIn, { state: { hasLoggedOut: true } });
    },
  });
  return {
    isPending: signOut.isPending,
    logOut: async () => {
      if (await mayLeave()) signOut.mutate();
    },
  };
}
