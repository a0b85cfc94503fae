/** Joins and declines organisations. Each names the queries that it makes stale. Loaded with the banner that asks. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { teamEndpoints } from '#contracts/console/team';
import { ApiError } from '#web/api/api-error.ts';
import { authClient } from '#web/api/auth-client.ts';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** The user may belong to several organisations: these match a resource in all of them. */
const isTeam = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[3] === 'team';
const isSummary = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[3] === 'summary';

const refreshInvitations = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.invitations }),
    client.invalidateQueries({ predicate: isTeam }),
  ]);

/** Resolves to the id of the joined organisation. An email that is not proved yet is refused and gets a link, which the error asks to open. */
export function useAcceptInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (invitationId: string) =>
      (await call(teamEndpoints.acceptInvitation, { body: { invitationId } })).member.organizationId,
    onError: (error) => {
      const isUnproved = error instanceof ApiError && error.issues.some(({ path }) => path === 'email');
      if (isUnproved) void authClient.requestEmailLink();
    },
    onSettled: () =>
      Promise.all([
        refreshInvitations(client),
        client.invalidateQueries({ queryKey: queryKeys.ownOrganisations }),
        client.invalidateQueries({ predicate: isSummary }),
      ]),
  });
}

export function useRejectInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) => call(teamEndpoints.rejectInvitation, { body: { invitationId } }),
    onSettled: () => refreshInvitations(client),
  });
}
