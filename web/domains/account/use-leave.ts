/**
 * Ends the session on purpose and opens /signin. session.ts ends the local session after a delay, so that no guard redirects first.
 */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answerOf } from '#web/api/auth-call.ts';
import type { AuthOutcome } from '#web/api/auth-client.ts';
import { paths } from '#web/paths.ts';
import { selectOrganisation } from '#web/session/selected-organisation.ts';
import { leaveDeliberately } from '#web/session/session.ts';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';

export interface LeaveOptions {
  readonly onLeft?: () => void;
  /** Replaces the current page in the history. */
  readonly isReplacing?: boolean;
  /** The screen shows the error itself, so no toast appears. */
  readonly isErrorShown?: boolean;
}

/** @param call ends the session on the server */
export function useLeave<Input = void>(
  call: (input: Input) => Promise<AuthOutcome<unknown>>,
  { onLeft, isReplacing = false, isErrorShown = false }: LeaveOptions = {},
): UseMutationResult<unknown, Error, Input> {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    meta: { isErrorShown },
    mutationFn: async (input: Input) => {
      await client.cancelQueries(); // A read that is answered after the session would fail as unauthenticated.
      return answerOf(leaveDeliberately(() => call(input)));
    },
    onSuccess: () => {
      selectOrganisation(null);
      discardUnsaved();
      onLeft?.();
      return navigate(paths.signIn, { replace: isReplacing });
    },
    // Nothing has ended: what was cancelled is read after all.
    onError: () => void client.refetchQueries({ type: 'active', stale: true }),
  });
}
