/** What uses a plan, feature or property, for dialogs that delete or rename it. */
import { type NamedItemType, nameEndpoints } from '#contracts/console/names';
import { endpointQuery } from '#web/api/endpoint-query.ts';

export interface NamedItem {
  readonly itemType: NamedItemType;
  readonly itemId: string;
}

/** Idle while `item` is null. Never cached, as the dialog decides by it. */
export const itemUsesQuery = (orgId: string, item: NamedItem | null) =>
  endpointQuery(nameEndpoints.uses, { orgId }, { query: item && { ...item }, staleTime: 0, gcTime: 0 });
