/** Changes of a customer's manual entries and meters. Each invalidates all customer queries of the organisation. */
import type { QueryClient } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';
import { customerParams } from './queries.ts';

const refresh = (orgId: string) => (client: QueryClient) => invalidateResources(client, orgId, ['customers']);

export const useGrantPlan = (orgId: string, identifier: string) =>
  useChange(refresh(orgId), formCall(customerEndpoints.grantPlan, customerParams(orgId, identifier)));

/** An entry of a customer, or of the email that belongs to the customer. */
interface EntryOf {
  readonly of: string;
  readonly id: string;
}

export const useRevokePlan = (orgId: string) =>
  useChange(refresh(orgId), {
    mutationFn: ({ of, id: grantId }: EntryOf) =>
      call(customerEndpoints.revokePlan, { params: { ...customerParams(orgId, of), grantId } }),
  });

export const useOverrideProperty = (orgId: string, identifier: string) =>
  useChange(refresh(orgId), formCall(customerEndpoints.overrideProperty, customerParams(orgId, identifier)));

export const useRemoveOverride = (orgId: string) =>
  useChange(refresh(orgId), {
    mutationFn: ({ of, id: overrideId }: EntryOf) =>
      call(customerEndpoints.removeOverride, { params: { ...customerParams(orgId, of), overrideId } }),
  });

export const useMoveCustomer = (orgId: string, identifier: string) =>
  useChange(refresh(orgId), formCall(customerEndpoints.move, customerParams(orgId, identifier)));

/** @param email of the page, which shows no error */
export const useLinkEmail = (orgId: string, email: string) =>
  useChange(refresh(orgId), {
    ...formCall(customerEndpoints.linkEmail, customerParams(orgId, email)),
    meta: {},
  });

export const useJoinCustomer = (orgId: string, identifier: string) =>
  useChange(refresh(orgId), formCall(customerEndpoints.join, customerParams(orgId, identifier)));

/** Takes the environment. */
export const useSeparateCustomer = (orgId: string, identifier: string) =>
  useChange(refresh(orgId), {
    mutationFn: (environmentId: string) =>
      call(customerEndpoints.separate, { params: { ...customerParams(orgId, identifier), environmentId } }),
  });

export const useCorrectMeter = (orgId: string, identifier: string) =>
  useChange(refresh(orgId), formCall(customerEndpoints.correctMeter, customerParams(orgId, identifier)));
