/** Changes of what is said of a customer by hand. Each makes all that is shown of customers stale. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { customerEndpoints } from '#contracts/customers';
import type { BodyInputOf } from '#contracts/endpoint';
import { call } from '../../api/call.ts';
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
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId, 'customers'] }),
  });
}

/** The dialog shows what was refused. */
export function useGrantPlan(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.grantPlan>) =>
      call(customerEndpoints.grantPlan, { params, body }),
    true,
  );
}

export function useWithdrawPlan(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (grantId: string) => call(customerEndpoints.withdrawPlan, { params: { ...params, grantId } }),
    false,
  );
}

/** The dialog shows what was refused. */
export function useOverrideProperty(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.overrideProperty>) =>
      call(customerEndpoints.overrideProperty, { params, body }),
    true,
  );
}

export function useRemoveOverride(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (overrideId: string) => call(customerEndpoints.removeOverride, { params: { ...params, overrideId } }),
    false,
  );
}

/** The dialog shows what was refused. */
export function useCorrectMeter(orgId: string, identifier: string) {
  const params = customerParams(orgId, identifier);
  return useCustomerMutation(
    orgId,
    (body: BodyInputOf<typeof customerEndpoints.correctMeter>) =>
      call(customerEndpoints.correctMeter, { params, body }),
    true,
  );
}
