/** Signs out and navigates to /signin. session.ts ends the local session after a delay, so that no guard redirects first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answerOf } from '#web/api/auth-call.ts';
import { authClient } from '#web/api/auth-client.ts';
import { paths } from '#web/paths.ts';
import { selectOrganisation } from './selected-organisation.ts';
import { leaveDeliberately } from './session.ts';

export function useLogOut() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      leaveDeliberately(async () => {
        await client.cancelQueries(); // A read that is answered after the sign-out would fail as unauthenticated.
        return answerOf(authClient.signOut());
      }),
    onSuccess: () => {
      selectOrganisation(null);
      return navigate(paths.signIn, { state: { hasLoggedOut: true } });
    },
  });
}
