/**
 * The selected organisation and the user's permissions in it, as React context. Synchronises the selection with the URL
 * and redirects away from organisations that the user does not belong to.
 */
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router';
import type { Permission } from '#contracts/public/endpoint';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import { inOrganisation, paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';
import { chooseOrganisation } from './choose-organisation.ts';
import { organisationSummaryQuery, ownOrganisationsQuery } from './queries.ts';
import { selectOrganisation, useSelectedOrganisation } from './selected-organisation.ts';
import { useSession } from './session.ts';

export interface OrganisationState {
  /** Null while loading, and if the user has no organisation. */
  readonly orgId: string | null;
  readonly ownOrganisations: readonly { readonly id: string; readonly name: string }[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** The selected organisation's name. Null while loading. */
  readonly name: string | null;
  readonly planDisplayName: string | null;
  /** Undefined while loading. */
  readonly permissions: readonly Permission[] | undefined;
  /** Undefined while loading. */
  readonly limitOrder: LimitOrder | undefined;
  /** Of calendar periods. Undefined while loading. */
  readonly zone: string | undefined;
  /** Selects another organisation and shows the same page there, or the section if the page is about one item. */
  readonly switchTo: (orgId: string) => void;
}

export const OrganisationContext = createContext<OrganisationState | null>(null);

export function OrganisationProvider({ children }: { children: ReactNode }) {
  const { isSudoAccess, isConfirmed } = useSession();
  const { data: listed, dataUpdatedAt, isPending, error, refetch } = useQuery(ownOrganisationsQuery);
  const urlOrgId = useMatch('/o/:orgId/*')?.params.orgId ?? null;
  const selectedOrgId = useSelectedOrganisation();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();

  // What is known of an earlier visit decides nothing about an organisation that is not in the list.
  const wantedId = urlOrgId ?? selectedOrgId;
  const isCertain =
    (isConfirmed && dataUpdatedAt > 0) || listed?.some(({ id }) => wantedId === null || id === wantedId);
  const data = isCertain ? listed : undefined;

  const choice = useMemo(
    () =>
      data === undefined
        ? null
        : chooseOrganisation({
            urlOrgId,
            selectedOrgId,
            ownOrgIds: data.map(({ id }) => id),
            isSudoAccess,
          }),
    [data, urlOrgId, selectedOrgId, isSudoAccess],
  );
  const orgId = choice?.kind === 'selected' ? choice.orgId : null;
  const summary = useQuery(organisationSummaryQuery(orgId)).data;

  const kind = choice?.kind;
  const chosenId = choice?.orgId;
  useEffect(() => {
    // Runs when the choice changes, not when the selection does: accepting an invitation selects another organisation
    // while the URL still names this one.
    if (kind === undefined || chosenId === undefined) return;
    selectOrganisation(chosenId);
    if (kind === 'selected') return;
    toast.error("You don't have access to this organisation.", { id: 'no-access' });
    navigate(chosenId === null ? paths.home : paths.dashboard(chosenId), { replace: true });
  }, [kind, chosenId, navigate]);

  const state = useMemo(
    (): OrganisationState => ({
      orgId,
      ownOrganisations: data ?? [],
      isLoading: isPending || (data === undefined && error === null),
      error,
      retry: () => void refetch(),
      name: summary?.name ?? data?.find(({ id }) => id === orgId)?.name ?? null,
      planDisplayName: summary?.planDisplayName ?? null,
      permissions: summary?.userPermissions,
      limitOrder: summary?.limitOrder,
      zone: summary?.zone,
      switchTo: (next) => {
        if (urlOrgId === null) selectOrganisation(next);
        else navigate(inOrganisation(pathname, next, search));
      },
    }),
    [orgId, data, isPending, error, refetch, summary, urlOrgId, navigate, pathname, search],
  );
  return <OrganisationContext value={state}>{children}</OrganisationContext>;
}

export function useOrganisation(): OrganisationState {
  const state = useContext(OrganisationContext);
  if (state === null) throw new Error('useOrganisation is for pages of the signed-in layout');
  return state;
}

/** The selected organisation's id. Only for pages below RequireOrganisation. */
export function useOrgId(): string {
  const { orgId } = useOrganisation();
  if (orgId === null) throw new Error('useOrgId is for pages below RequireOrganisation');
  return orgId;
}

/** Undefined while it loads. */
export function usePermission(permission: Permission): boolean | undefined {
  return useOrganisation().permissions?.includes(permission);
}
