/** Which entitlements the customer page's table lists. */
import type { Entitlement } from '#contracts/console/customers';
import { matchesSearch } from '#web/ui/lists/matches-search.ts';

export interface EntitlementFilter {
  readonly isOverriddenOnly: boolean;
  /** As typed; blank: all. */
  readonly search: string;
  /** The property whose override is being edited. Its row is always listed, so that nothing typed is lost. */
  readonly editedId: string | null;
}

export function findEntitlements(
  entitlements: readonly Entitlement[],
  { isOverriddenOnly, search, editedId }: EntitlementFilter,
): Entitlement[] {
  return entitlements.filter(
    ({ propertyId, featureName, feature, property, propertyName, decidedBy }) =>
      propertyId === editedId ||
      ((!isOverriddenOnly || isOverridden(decidedBy)) &&
        matchesSearch(`${featureName}\n${feature}\n${property}\n${propertyName}`, search)),
  );
}

function isOverridden(decidedBy: Entitlement['decidedBy']): boolean {
  return typeof decidedBy === 'object' && !Array.isArray(decidedBy);
}
