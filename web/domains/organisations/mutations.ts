/** Creates and updates organisations. Each names the queries that it makes stale. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { organisationEndpoints, type updateQuickstartSchema } from '#contracts/console/organisations';
import type { Location } from '#contracts/public/locations';
import { locationName } from '#engine/regions/data-locations';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources, queryKeys } from '#web/api/query-keys.ts';
import { organisationSummaryQuery } from '#web/session/queries.ts';
import { toast } from '#web/toast.ts';
import { organisationQuery } from './queries.ts';

/** Resolves to the created organisation. */
export function useCreateOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(organisationEndpoints.create, { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.ownOrganisations }),
  });
}

/** The form shows errors. A conflict shows both values. */
export function useUpdateOrganisation(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(organisationEndpoints.update, { orgId }),
    onSuccess: (saved) => {
      client.setQueryData(organisationQuery(orgId).queryKey, saved);
      return Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.organisationSummary(orgId) }),
        client.invalidateQueries({ queryKey: queryKeys.ownOrganisations }),
      ]);
    },
  });
}

/** Pauses, dismisses or finishes the quick start, or skips its JWT step. Every member may. */
export function useUpdateQuickstart(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateQuickstartSchema>) =>
      call(organisationEndpoints.updateQuickstart, { params: { orgId }, body }),
    onSuccess: (saved) => {
      client.setQueryData(
        organisationSummaryQuery(orgId).queryKey,
        (before) => before && { ...before, ...saved },
      );
      return invalidateResources(client, orgId, ['organisation']);
    },
  });
}

export interface SwitchRegionInput {
  readonly location: Location;
  readonly isOn: boolean;
}

/** The server replaces all nine settings at once. They are fetched first, so that only this one changes. */
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
      toast.success(`${locationName(location)} ${isOn ? 'enabled' : 'disabled'}`, {
        description: isOn
          ? 'Your environments are being copied there.'
          : 'Requests there are served from the nearest enabled region.',
      });
    },
    onSettled: () => invalidateResources(client, orgId, ['organisation', 'deployments']),
  });
}
