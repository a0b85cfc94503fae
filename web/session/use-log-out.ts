/** Signs out and goes to /signin; the session ends shortly after (session.ts), so that no guard answers first. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answerOf } from '../api/auth-call.ts';
import { authClient } from '../api/auth-client.ts';
import { paths } from '../paths.ts';
import { selectOrganisation } from './selected-organisation.ts';

export function useLogOut() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => answerOf(authClient.signOut()),
    onSuccess: () => {
      selectOrganisation(null);
      return navigate(paths.signIn, { state: { hasLoggedOut: true } });
    },
  });
}
