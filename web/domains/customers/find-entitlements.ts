/** Which entitlements the customer page's table lists. */
import type { Entitlement } from '#contracts/console/customers';

export interface EntitlementFilter {
  readonly isOverriddenOnly: boolean;
  /** Lower case; empty: all. */
  readonly needle: string;
  /** The property whose override is being edited. Its row is always listed, so that nothing typed is lost. */
  readonly editedId: string | null;
}

export function findEntitlements(
  entitlements: readonly Entitlement[],
  { isOverriddenOnly, needle, editedId }: EntitlementFilter,
): Entitlement[] {
  return entitlements.filter(
    ({ propertyId, featureName, feature, property, propertyName, decidedBy }) =>
      propertyId === editedId ||
      ((!isOverriddenOnly || isOverridden(decidedBy)) &&
        `${featureName}\n${feature}\n${property}\n${propertyName}`.toLocaleLowerCase().includes(needle)),
  );
}

function isOverridden(decidedBy: Entitlement['decidedBy']): boolean {
  return typeof decidedBy === 'object' && !Array.isArray(decidedBy);
}
