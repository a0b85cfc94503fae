/** Composition root of the public API, /api/v1 and /ofrep/v1: every call and its handler. It does not pass app.ts. */
import type { PublicCallId } from '#contracts/public/public-calls';
import { servePublicApi } from './domains/access/calls/handle-public-api.ts';
import type { KeyRoute } from './domains/access/calls/public-routes.ts';
import { ACCESS_CALLS, DESCRIPTION } from './domains/access/public-calls.ts';
import { CUSTOMER_CALLS } from './domains/customers/provisioning/customer-calls.ts';
import { CUSTOMER_SALES } from './domains/customers/provisioning/sales-calls.ts';
import { SALES_CALLS } from './domains/sales/sales-calls.ts';

const CALLS: { readonly [Id in PublicCallId]: KeyRoute } = {
  ...ACCESS_CALLS,
  ...CUSTOMER_CALLS,
  ...SALES_CALLS,
  ...CUSTOMER_SALES,
};

export const handlePublicApi = servePublicApi([...Object.values(CALLS), DESCRIPTION]);
