/**
 * Decides which organisation is selected. The URL's organisation wins, then the previous selection, then the user's
 * first. Pure: the caller navigates.
 */

export interface OrganisationSources {
  /** The orgId of the URL, or null. */
  readonly urlOrgId: string | null;
  readonly selectedOrgId: string | null;
  /** The ids of the user's organisations, in the API's order. */
  readonly ownOrgIds: readonly string[];
  readonly isSudoAccess: boolean;
}

export type OrganisationChoice =
  /** `orgId` is null if the user has no organisation. */
  | { readonly kind: 'selected'; readonly orgId: string | null }
  /** The user may not see the URL's organisation. `orgId` is the organisation to show instead, null for /. */
  | { readonly kind: 'no-access'; readonly orgId: string | null };

export function chooseOrganisation(sources: OrganisationSources): OrganisationChoice {
  const { urlOrgId, selectedOrgId, ownOrgIds, isSudoAccess } = sources;
  const first = ownOrgIds[0] ?? null;
  if (urlOrgId !== null) {
    if (isSudoAccess || ownOrgIds.includes(urlOrgId)) return { kind: 'selected', orgId: urlOrgId };
    return { kind: 'no-access', orgId: first };
  }
  const isStillOpen = selectedOrgId !== null && (isSudoAccess || ownOrgIds.includes(selectedOrgId));
  return { kind: 'selected', orgId: isStillOpen ? selectedOrgId : first };
}
