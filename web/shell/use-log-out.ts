/** Signs out and opens /signin. Asks before unsaved input is lost: afterwards the session is over. */
import { authClient } from '#web/api/auth-client.ts';
import { useLeave } from '#web/domains/account/use-leave.ts';
import { mayLeave } from '#web/ui/dialogs/guarded-forms.ts';

export function useLogOut() {
  const signOut = useLeave(authClient.signOut);
  return {
    isPending: signOut.isPending,
    logOut: async () => {
      if (await mayLeave()) signOut.mutate();
    },
  };
}
