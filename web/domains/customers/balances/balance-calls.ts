/** What is read and changed of a customer's balances. */
import { customerBalanceEndpoints } from '#contracts/console/customer-balances';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { useFormChange } from '#web/api/use-change.ts';
import { customerParams, WATCHED } from '../queries.ts';

/** Usage is read again as long as there are balances. @param withClosed with those that are used up or have ended */
export const balancesQuery = (
  orgId: string,
  identifier: string,
  environmentId: string,
  withClosed: boolean,
) =>
  endpointQuery(
    customerBalanceEndpoints.list,
    { ...customerParams(orgId, identifier), environmentId },
    {
      query: withClosed ? { closed: '1' } : {},
      staleTime: 0,
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && data.balances.length > 0 && WATCHED.refetchInterval,
    },
  );

export const useGiveBalance = (orgId: string, identifier: string) =>
  useFormChange(customerBalanceEndpoints.give, customerParams(orgId, identifier));

/** A balance, and the name of the customer that it is stored under. */
interface BalanceOf {
  readonly identifier: string;
  readonly id: string;
}

const balanceParams = (orgId: string, { identifier, id: balanceId }: BalanceOf) => ({
  ...customerParams(orgId, identifier),
  balanceId,
});

export const useChangeBalance = (orgId: string, balance: BalanceOf) =>
  useFormChange(customerBalanceEndpoints.change, balanceParams(orgId, balance));

export const useTakeBackBalance = (orgId: string, balance: BalanceOf) =>
  useFormChange(customerBalanceEndpoints.takeBack, balanceParams(orgId, balance));
