/** What one-time prices give: read and changed. */
import { topUpEndpoints } from '#contracts/console/top-ups';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { useChange } from '#web/api/use-change.ts';

export const topUpsQuery = (orgId: string, integrationId: string) =>
  endpointQuery(topUpEndpoints.list, { orgId, integrationId });

export const oneTimePricesQuery = (orgId: string, integrationId: string, productId: string) =>
  endpointQuery(topUpEndpoints.listPrices, { orgId, integrationId, productId });

interface SetTopUp {
  readonly priceId: string;
  readonly body: BodyInputOf<typeof topUpEndpoints.set>;
}

/** The form shows the error. */
export const useSetTopUp = (orgId: string, integrationId: string) =>
  useChange(
    topUpEndpoints.set,
    ({ priceId, body }: SetTopUp) => ({ params: { orgId, integrationId, priceId }, body }),
    { isErrorShown: true },
  );

export const useRemoveTopUp = (orgId: string, integrationId: string) =>
  useChange(topUpEndpoints.remove, (priceId: string) => ({
    params: { orgId, integrationId, priceId },
  }));
