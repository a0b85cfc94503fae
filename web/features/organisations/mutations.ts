/** Joining, declining, making and changing organisations, and what each of these makes stale. */

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { z } from 'zod';
import type { Location } from '#contracts/locations';
import { organisationEndpoints, type updateOrganisationSchema } from '#contracts/organisations';
import { teamEndpoints } from '#contracts/team';
import { locationName } from '#engine/regions/data-locations';
import { call } from '../../api/call.ts';
import { organisationQuery } from './queries.ts';

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
      (await call(teamEndpoints.acceptInvitation, { body: { invitationId } })).member.organizationId,
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
    mutationFn: (invitationId: string) => call(teamEndpoints.rejectInvitation, { body: { invitationId } }),
    onSettled: () => refreshInvitations(client),
  });
}

/** Answers the organisation made. */
export function useCreateOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(organisationEndpoints.create, { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['user', 'orgs'] }),
  });
}

/** The form says itself what went wrong: a conflict is shown with both values. */
export function useUpdateOrganisation(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateOrganisationSchema>) =>
      call(organisationEndpoints.update, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (saved) => {
      client.setQueryData(organisationQuery(orgId).queryKey, saved);
      return Promise.all([
        client.invalidateQueries({ queryKey: ['org', orgId, 'summary'] }),
        client.invalidateQueries({ queryKey: ['user', 'orgs'] }),
      ]);
    },
  });
}

export interface SwitchRegionInput {
  readonly location: Location;
  readonly isOn: boolean;
}

/** The server takes all nine at once: they are read anew, so that only this one differs from what stands. */
export function useSwitchRegion(orgId: string) {
  const client = useQueryClient();
  const params = { orgId };
  return useMutation({
    mutationFn: async ({ location, isOn }: SwitchRegionInput) => {
      const { dataLocations } = await call(organisationEndpoints.get, { params });
      const locations = { ...dataLocations, [location]: isOn };
      return call(organisationEndpoints.updateDataLocations, { params, body: { locations } });
    },
    onSuccess: ({ locations: dataLocations }, { location, isOn }) => {
      client.setQueryData(
        organisationQuery(orgId).queryKey,
        (before) => before && { ...before, dataLocations },
      );
      toast.success(`${locationName(location)} turned ${isOn ? 'on' : 'off'}`, {
        description: isOn
          ? 'Your environments are being copied there.'
          : 'Its callers are answered from the nearest region that is on.',
      });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: organisationQuery(orgId).queryKey }),
        client.invalidateQueries({ queryKey: ['org', orgId, 'deployments'] }),
      ]),
  });
}
