/** Changes that platform staff make. */
import { useMutation } from '@tanstack/react-query';
import { type SudoAction, sudoEndpoints } from '#contracts/console/sudo';
import { call } from '#web/api/call.ts';
import { useChange, useRefresh } from '#web/api/use-change.ts';

export const useRetryDeadLetter = () =>
  useChange(sudoEndpoints.retryDeadLetter, (deadLetterId: string) => ({ params: { deadLetterId } }));

/** Retries all messages of a queue, some at a time. @returns how many were sent, and how many could not be */
export const useRetryDeadLetters = () =>
  useMutation({
    mutationFn: async (queue: string) => {
      for (let sent = 0; ; ) {
        const { retried, remaining } = await call(sudoEndpoints.retryDeadLetters, { body: { queue } });
        sent += retried;
        if (retried === 0 || remaining === 0) return { sent, remaining };
      }
    },
    onSettled: useRefresh(sudoEndpoints.retryDeadLetters, {}),
  });

export const useDiscardDeadLetter = () =>
  useChange(sudoEndpoints.discardDeadLetter, (deadLetterId: string) => ({ params: { deadLetterId } }));

const ACTIONS = {
  'clear-usage-blocks': sudoEndpoints.clearUsageBlocks,
  'billable-usage-publish': sudoEndpoints.publishBillableUsage,
  'preview-environment-publish': sudoEndpoints.publishPreview,
  'environment-variants-update': sudoEndpoints.updateEnvironmentVariants,
  'rebuild-log-index': sudoEndpoints.rebuildLogIndex,
  'publish-stripe-lookups': sudoEndpoints.publishStripeLookups,
} as const satisfies Record<SudoAction, unknown>;

export const useSudoAction = (orgId: string) =>
  useMutation({
    mutationFn: (action: SudoAction) => call(ACTIONS[action], { params: { orgId } }),
    onSettled: useRefresh(sudoEndpoints.clearUsageBlocks, { orgId }),
  });
