/** The public plans, by the server's own code. They have no prices. */
import { publicPlans } from '#engine/access/public-plans';
import { VERSION } from './fake-api.ts';
import { CALL_LIMITS, type FakeRoute } from './fake-route.ts';
import { tagged } from './tagged.ts';

export const PLAN_CALLS: readonly FakeRoute[] = [
  {
    method: 'GET',
    path: '/api/v1/plans',
    limits: CALL_LIMITS,
    async answer({ prepared }, call) {
      const { requestId } = call;
      const plans = publicPlans(prepared, () => []);
      const text = JSON.stringify({ status: 'success', requestId, version: VERSION, plans });
      return tagged(call, text, JSON.stringify(plans));
    },
  },
];
