/** Changes of a customer's manual entries and meters. */
import { customerEndpoints } from '#contracts/console/customers';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { customerParams } from './queries.ts';

export const useGrantPlan = (orgId: string, identifier: string) =>
  useFormChange(customerEndpoints.grantPlan, customerParams(orgId, identifier));

/** An entry of a customer, or of the email that belongs to the customer. */
interface EntryOf {
  readonly of: string;
  readonly id: string;
}

export const useRevokePlan = (orgId: string) =>
  useChange(customerEndpoints.revokePlan, ({ of, id: grantId }: EntryOf) => ({
    params: { ...customerParams(orgId, of), grantId },
  }));

export const useOverrideProperty = (orgId: string, identifier: string) =>
  useFormChange(customerEndpoints.overrideProperty, customerParams(orgId, identifier));

export const useRemoveOverride = (orgId: string) =>
  useChange(customerEndpoints.removeOverride, ({ of, id: overrideId }: EntryOf) => ({
    params: { ...customerParams(orgId, of), overrideId },
  }));

export const useMoveCustomer = (orgId: string, identifier: string) =>
  useFormChange(customerEndpoints.move, customerParams(orgId, identifier));

/** @param email of the page, which shows no error */
export const useLinkEmail = (orgId: string, email: string) =>
  useChange(customerEndpoints.linkEmail, customerParams(orgId, email));

export const useJoinCustomer = (orgId: string, identifier: string) =>
  useChange(customerEndpoints.join, customerParams(orgId, identifier));

interface SourceIn {
  readonly environmentId: string;
  readonly integrationId: string;
  /** cus_… */
  readonly customerId: string;
}

export const useSeparateCustomer = (orgId: string, identifier: string) =>
  useChange(customerEndpoints.separate, (source: SourceIn) => ({
    params: { ...customerParams(orgId, identifier), ...source },
  }));

export const useCorrectMeter = (orgId: string, identifier: string) =>
  useFormChange(customerEndpoints.correctMeter, customerParams(orgId, identifier));
