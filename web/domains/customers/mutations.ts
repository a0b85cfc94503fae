/** Changes of a customer's manual entries and meters. Each invalidates all customer queries of the organisation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/console/customers';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';
import { customerParams } from './queries.ts';

function useCustomerMutation<Input, Answer>(
  orgId: string,
  mutationFn: (input: Input) => Promise<Answer>,
  isErrorShown: boolean,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { isErrorShown },
    onSettled: () => invalidateResources(client, orgId, ['customers']),
  });
}

/** The dialog shows the error. */
export function useGrantPlan(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.grantPlan>) =>
      call(customerEndpoints.grantPlan, { params, body }),
    true,
  );
}

/** An entry of a customer, or of the email that belongs to the customer. */
interface EntryOf {
  readonly of: string;
  readonly id: string;
}

export function useRevokePlan(orgId: string) {
  return useCustomerMutation(
    orgId,
    ({ of, id: grantId }: EntryOf) =>
      call(customerEndpoints.revokePlan, { params: { ...customerParams(orgId, of), grantId } }),
    false,
  );
}

/** The dialog shows the error. */
export function useOverrideProperty(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.overrideProperty>) =>
      call(customerEndpoints.overrideProperty, { params, body }),
    true,
  );
}

export function useRemoveOverride(orgId: string) {
  return useCustomerMutation(
    orgId,
    ({ of, id: overrideId }: EntryOf) =>
      call(customerEndpoints.removeOverride, { params: { ...customerParams(orgId, of), overrideId } }),
    false,
  );
}

/** The dialog shows the error. */
export function useMoveCustomer(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.move>) => call(customerEndpoints.move, { params, body }),
    true,
  );
}

/** @param email of the page */
export function useLinkEmail(orgId: string, email: string) {
  const params = customerParams(orgId, email);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.linkEmail>) =>
      call(customerEndpoints.linkEmail, { params, body }),
    false,
  );
}

/** The dialog shows the error. */
export function useCorrectMeter(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.correctMeter>) =>
      call(customerEndpoints.correctMeter, { params, body }),
    true,
  );
}
