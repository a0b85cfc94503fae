/** Changes that platform staff make. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type SudoAction, sudoEndpoints } from '#contracts/console/sudo';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** The form shows errors. */
export function useUpdateSudoUser(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof sudoEndpoints.updateUser>) =>
      call(sudoEndpoints.updateUser, { params: { userId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sudoUsers }),
  });
}

export function useRetryDeadLetter() {
  return useDeadLetterMutation((deadLetterId: string) =>
    call(sudoEndpoints.retryDeadLetter, { params: { deadLetterId } }),
  );
}

/** Retries all messages of a queue, some at a time. @returns how many were sent, and how many could not be */
export function useRetryDeadLetters() {
  return useDeadLetterMutation(async (queue: string) => {
    for (let sent = 0; ; ) {
      const { retried, remaining } = await call(sudoEndpoints.retryDeadLetters, { body: { queue } });
      sent += retried;
      if (retried === 0 || remaining === 0) return { sent, remaining };
    }
  });
}

export function useDiscardDeadLetter() {
  return useDeadLetterMutation((deadLetterId: string) =>
    call(sudoEndpoints.discardDeadLetter, { params: { deadLetterId } }),
  );
}

function useDeadLetterMutation<Answer>(mutationFn: (id: string) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.deadLetters }),
  });
}

/** The form shows errors. */
export function useUpdateSudoOrganisation(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof sudoEndpoints.updateOrganisation>) =>
      call(sudoEndpoints.updateOrganisation, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSettled: () => invalidateOrganisation(client, orgId),
  });
}

const ACTIONS = {
  'clear-usage-blocks': sudoEndpoints.clearUsageBlocks,
  'billable-usage-publish': sudoEndpoints.publishBillableUsage,
  'preview-environment-publish': sudoEndpoints.publishPreview,
  'environment-variants-update': sudoEndpoints.updateEnvironmentVariants,
  'rebuild-log-index': sudoEndpoints.rebuildLogIndex,
  'publish-stripe-lookups': sudoEndpoints.publishStripeLookups,
} as const satisfies Record<SudoAction, unknown>;

export function useSudoAction(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: SudoAction) => call(ACTIONS[action], { params: { orgId } }),
    onSettled: () => invalidateOrganisation(client, orgId),
  });
}

function invalidateOrganisation(client: QueryClient, orgId: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.sudoOrganisations }),
    client.invalidateQueries({ queryKey: queryKeys.organisationScope(orgId) }),
  ]);
}
