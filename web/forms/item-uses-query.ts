/** What uses a plan, feature or property, for dialogs that delete or rename it. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { type NamedItemType, nameEndpoints } from '#contracts/console/names';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export interface NamedItem {
  readonly itemType: NamedItemType;
  readonly itemId: string;
}

/** Idle while `item` is null. Never cached, as the dialog decides by it. */
export const itemUsesQuery = (orgId: string, item: NamedItem | null) =>
  queryOptions({
    queryKey: queryKeys.itemUses(orgId, item),
    queryFn:
      item === null
        ? skipToken
        : ({ signal }) => call(nameEndpoints.uses, { params: { orgId }, query: { ...item } }, signal),
    staleTime: 0,
    gcTime: 0,
  });
