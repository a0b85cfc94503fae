/** The public API's calls that sell plans. */
import { salesEndpoints } from '#contracts/public/sales';
import { keyRoute } from '#worker/domains/access/calls/public-routes';
import { listPlans } from './list-plans.ts';

export const SALES_CALLS = {
  listPlans: keyRoute(salesEndpoints.listPlans, listPlans),
} as const;
