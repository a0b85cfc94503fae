/** Changes that platform staff make. */
import type { QueryClient } from '@tanstack/react-query';
import { type SudoAction, sudoEndpoints } from '#contracts/console/sudo';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';

/** The form shows errors. */
export const useUpdateSudoUser = (userId: string) =>
  useChange(
    (client) => client.invalidateQueries({ queryKey: queryKeys.sudoUsers }),
    formCall(sudoEndpoints.updateUser, { userId }),
  );

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

const useDeadLetterMutation = <Answer>(mutationFn: (id: string) => Promise<Answer>) =>
  useChange((client) => client.invalidateQueries({ queryKey: queryKeys.deadLetters }), { mutationFn });

/** The form shows errors. */
export const useUpdateSudoOrganisation = (orgId: string) =>
  useChange(
    (client) => invalidateOrganisation(client, orgId),
    formCall(sudoEndpoints.updateOrganisation, { orgId }),
  );

const ACTIONS = {
  'clear-usage-blocks': sudoEndpoints.clearUsageBlocks,
  'billable-usage-publish': sudoEndpoints.publishBillableUsage,
  'preview-environment-publish': sudoEndpoints.publishPreview,
  'environment-variants-update': sudoEndpoints.updateEnvironmentVariants,
  'rebuild-log-index': sudoEndpoints.rebuildLogIndex,
  'publish-stripe-lookups': sudoEndpoints.publishStripeLookups,
} as const satisfies Record<SudoAction, unknown>;

export const useSudoAction = (orgId: string) =>
  useChange((client) => invalidateOrganisation(client, orgId), {
    mutationFn: (action: SudoAction) => call(ACTIONS[action], { params: { orgId } }),
  });

/** Everything on the screen may be older than what the restored database says. */
export const useFollowRestoredDatabase = () =>
  useChange((client) => client.invalidateQueries(), {
    mutationFn: () => call(sudoEndpoints.followRestoredDatabase, {}),
  });

function invalidateOrganisation(client: QueryClient, orgId: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.sudoOrganisations }),
    client.invalidateQueries({ queryKey: queryKeys.organisationScope(orgId) }),
  ]);
}
