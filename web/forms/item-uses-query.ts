/** What uses a plan, feature or property, for dialogs that delete or rename it. */
import { type NamedItemType, nameEndpoints } from '#contracts/console/names';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export interface NamedItem {
  readonly itemType: NamedItemType;
  readonly itemId: string;
}

/** Idle while `item` is null. Never cached, as the dialog decides by it. */
export const itemUsesQuery = (orgId: string, item: NamedItem | null) =>
  callQuery(
    queryKeys.itemUses(orgId, item),
    nameEndpoints.uses,
    item === null ? null : { params: { orgId }, query: { ...item } },
    { staleTime: 0, gcTime: 0 },
  );
