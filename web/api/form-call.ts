/** Options of a mutation that sends what a form or dialog contains: a call's body. The form shows the error. */
import type { BodyInputOf, Endpoint, ParamsOf } from '#contracts/public/endpoint';
import { type CallInput, call } from './call.ts';

type Sent = Endpoint & { readonly query?: undefined };

export const formCall = <E extends Sent>(endpoint: E, params: ParamsOf<E>) => ({
  mutationFn: (body: BodyInputOf<E>) => call(endpoint, { params, body } as unknown as CallInput<E>),
  meta: { isErrorShown: true },
});
