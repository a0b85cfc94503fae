/** Joining, declining and making organisations, and what each of these makes stale. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '../../api/auth-call.ts';
import { authClient } from '../../api/auth-client.ts';

const isTeamSummary = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] === 'team-summary';
const isSummary = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] === 'summary';

const refreshInvitations = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ['user', 'invitations'] }),
    client.invalidateQueries({ predicate: isTeamSummary }),
  ]);

/** Answers the id of the organisation joined. */
export function useAcceptInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (invitationId: string) =>
      (await answerOf(authClient.acceptInvitation(invitationId))).member.organizationId,
    onSettled: () =>
      Promise.all([
        refreshInvitations(client),
        client.invalidateQueries({ queryKey: ['user', 'orgs'] }),
        client.invalidateQueries({ predicate: isSummary }),
      ]),
  });
}

export function useRejectInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) => answerOf(authClient.rejectInvitation(invitationId)),
    onSettled: () => refreshInvitations(client),
  });
}

/** Answers the organisation made. */
export function useCreateOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => answerOf(authClient.createOrganisation(name)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['user', 'orgs'] }),
  });
}
