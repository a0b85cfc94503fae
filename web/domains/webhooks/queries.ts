/** Queries of webhooks and of what was sent to them. */
import { keepPreviousData } from '@tanstack/react-query';
import { type DeliveryState, webhookEndpoints } from '#contracts/console/webhooks';
import { isNotFound } from '#web/api/api-error.ts';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { now } from '#web/clock.ts';

/** How often an open page looks for new deliveries, or whether its webhook is gone. */
const WATCH_MS = 15_000;
/** While an event is on its way. */
const SOON_MS = 2_000;

export const webhooksQuery = (orgId: string) => endpointQuery(webhookEndpoints.list, { orgId });

export const webhookQuery = (orgId: string, webhookId: string) =>
  endpointQuery(
    webhookEndpoints.get,
    { orgId, webhookId },
    { refetchInterval: ({ state }) => (isNotFound(state.error) ? false : WATCH_MS) },
  );

export interface DeliverySearch {
  readonly webhookId: string;
  readonly state: DeliveryState | undefined;
  /** The previous page's end; null: the first page. */
  readonly before: string | null;
}

export const deliveriesQuery = (orgId: string, { webhookId, state, before }: DeliverySearch) =>
  endpointQuery(
    webhookEndpoints.deliveries,
    { orgId, webhookId },
    {
      query: { ...(state !== undefined && { state }), ...(before !== null && { before }) },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data, error } }) => {
        if (error !== null) return false;
        const isSoon = data?.deliveries.some(({ nextAt }) => nextAt !== null && nextAt < now() + SOON_MS);
        return isSoon ? SOON_MS : WATCH_MS;
      },
    },
  );
