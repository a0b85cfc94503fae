/**
 * Decides which organisation is selected from the one in the address, the one selected before, and those the user
 * belongs to (specification, section 4). Pure: who asks acts on the answer.
 */

export interface OrganisationQuestion {
  /** The orgId of the address; null where it has none. */
  readonly urlOrgId: string | null;
  readonly selectedOrgId: string | null;
  /** The ids of the user's organisations, in their order. */
  readonly ownOrgIds: readonly string[];
  readonly isSudoAccess: boolean;
}

export type OrganisationChoice =
  /** `orgId` null: the user has no organisation. */
  | { readonly kind: 'selected'; readonly orgId: string | null }
  /** The address names an organisation the user may not see; `orgId` is where to go instead, null for /. */
  | { readonly kind: 'no-access'; readonly orgId: string | null };

export function chooseOrganisation(question: OrganisationQuestion): OrganisationChoice {
  const { urlOrgId, selectedOrgId, ownOrgIds, isSudoAccess } = question;
  const first = ownOrgIds[0] ?? null;
  if (urlOrgId !== null) {
    if (isSudoAccess || ownOrgIds.includes(urlOrgId)) return { kind: 'selected', orgId: urlOrgId };
    return { kind: 'no-access', orgId: first };
  }
  const isStillOpen = selectedOrgId !== null && (isSudoAccess || ownOrgIds.includes(selectedOrgId));
  return { kind: 'selected', orgId: isStillOpen ? selectedOrgId : first };
}
