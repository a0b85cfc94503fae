/** What platform staff change. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contracts/endpoint';
import { sudoEndpoints } from '#contracts/sudo';
import { call } from '../../api/call.ts';

/** The form shows what was refused. */
export function useUpdateSudoUser(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof sudoEndpoints.updateUser>) =>
      call(sudoEndpoints.updateUser, { params: { userId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => client.invalidateQueries({ queryKey: ['sudo', 'users'] }),
  });
}

export function useRetryDeadLetter() {
  return useDeadLetterMutation((deadLetterId: string) =>
    call(sudoEndpoints.retryDeadLetter, { params: { deadLetterId } }),
  );
}

export function useDiscardDeadLetter() {
  return useDeadLetterMutation((deadLetterId: string) =>
    call(sudoEndpoints.discardDeadLetter, { params: { deadLetterId } }),
  );
}

function useDeadLetterMutation(mutationFn: (deadLetterId: string) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: ['sudo', 'dead-letters'] }),
  });
}
