/** Creates and updates organisations. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { organisationEndpoints } from '#contracts/console/organisations';
import type { Location } from '#contracts/public/locations';
import { locationName } from '#engine/regions/data-locations';
import { call } from '#web/api/call.ts';
import { useChange, useFormChange, useRefresh } from '#web/api/use-change.ts';
import { organisationSummaryQuery } from '#web/session/queries.ts';
import { toast } from '#web/toast.ts';
import { organisationQuery } from './queries.ts';

/** Resolves to the created organisation. */
export const useCreateOrganisation = () =>
  useChange(organisationEndpoints.create, (name: string) => ({ body: { name } }));

/** The form shows errors. A conflict shows both values. */
export const useUpdateOrganisation = (orgId: string) =>
  useFormChange(
    organisationEndpoints.update,
    { orgId },
    {
      onSuccess: (saved, _body, client) => void client.setQueryData(organisationQuery(orgId).queryKey, saved),
    },
  );

/** Pauses, dismisses or finishes the quick start, or skips its JWT step. Every member may. */
export const useUpdateQuickstart = (orgId: string) =>
  useChange(
    organisationEndpoints.updateQuickstart,
    { orgId },
    {
      onSuccess: (saved, _body, client) =>
        void client.setQueryData(
          organisationSummaryQuery(orgId).queryKey,
          (before) => before && { ...before, ...saved },
        ),
    },
  );

/** The server replaces all nine settings at once. They are fetched first, so that only this one changes. */
export function useSwitchRegion(orgId: string) {
  const client = useQueryClient();
  const params = { orgId };
  return useMutation({
    mutationFn: async ({ location, isOn }: { readonly location: Location; readonly isOn: boolean }) => {
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
    onSettled: useRefresh(organisationEndpoints.updateDataLocations, params),
  });
}
