/** What one customer is called in titles and sentences that know its identifier only. */
import { useCustomerNames } from '#web/session/customer-names.ts';
import { shownIdentifier } from './shown-identifier.ts';

export function useCustomerName(orgId: string, identifier: string): string {
  return useCustomerNames(orgId, [identifier]).get(identifier) ?? shownIdentifier(identifier);
}
