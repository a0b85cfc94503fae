/** What platform staff change. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contracts/endpoint';
import { type SudoAction, sudoEndpoints } from '#contracts/sudo';
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

/** The form shows what was refused. */
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
    client.invalidateQueries({ queryKey: ['sudo', 'organisations'] }),
    client.invalidateQueries({ queryKey: ['org', orgId] }),
  ]);
}
