/** The public API's calls that sell to a customer, from path and body to the answer. */
import { type PageAnswer, type PreviewAnswer, salesEndpoints } from '#contracts/public/sales';
import { keyOfHeader } from '#engine/access/idempotency-key';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { CHANGE_MS, CHANGES_MS } from '#engine/outages/budget';
import { headerKeyOf } from '#worker/domains/access/calls/idempotency-header';
import { paramsOf } from '#worker/domains/access/calls/path-params';
import type { PublicAnswer, PublicCall } from '#worker/domains/access/calls/public-call';
import { keyRoute } from '#worker/domains/access/calls/public-routes';
import { openCheckout, openPortal } from '#worker/domains/integrations/stripe/sales/open-page';
import type { Buyer } from '#worker/domains/integrations/stripe/sales/paying-customer';
import { previewPurchase } from '#worker/domains/integrations/stripe/sales/preview-purchase';
import type { Shop } from '#worker/domains/integrations/stripe/sales/sales-account';
import { invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { getTarget } from './find-target.ts';
import { inCallTime } from './in-call-time.ts';
import { takeChange } from './limit-changes.ts';
import { openProvisioning } from './open-provisioning.ts';

const { openCheckout: checkout, previewPurchase: preview, openPortal: portal } = salesEndpoints;

export const CUSTOMER_SALES = {
  openCheckout: keyRoute(checkout, async (call, { value }) => {
    const { price, quantity, successUrl, cancelUrl, idempotencyKey } = value;
    const { shop, buyer } = await openSale(call, paramsOf(checkout, call.request).customer);
    const request = {
      ...{ price, quantity },
      successUrl: pageUrl(shop, 'successUrl', successUrl),
      cancelUrl: cancelUrl === undefined ? undefined : pageUrl(shop, 'cancelUrl', cancelUrl),
      key: keyOf(call, idempotencyKey),
    };
    return answerOf<PageAnswer>(call, buyer, await openCheckout(shop, buyer, request));
  }),
  previewPurchase: keyRoute(preview, async (call) => {
    const { price, quantity } = parse(preview.query, Object.fromEntries(new URLSearchParams(call.query)));
    const { shop, buyer } = await openSale(call, paramsOf(preview, call.request).customer);
    return answerOf<PreviewAnswer>(call, buyer, await previewPurchase(shop, buyer, { price, quantity }));
  }),
  openPortal: keyRoute(portal, async (call, { value }) => {
    const { shop, buyer } = await openSale(call, paramsOf(portal, call.request).customer);
    const returnUrl = pageUrl(shop, 'returnUrl', value.returnUrl);
    const request = { returnUrl, key: keyOf(call, value.idempotencyKey) };
    return answerOf<PageAnswer>(call, buyer, await openPortal(shop, buyer, request));
  }),
} as const;

/** @throws {ApiError} as openProvisioning; not-found; rate-limited */
async function openSale(call: PublicCall, segment: string): Promise<{ shop: Shop; buyer: Buyer }> {
  const named = readIdentifierSegment(segment);
  const { ctx, scope, loaded, environmentId } = await openProvisioning(call, CHANGES_MS);
  takeChange(scope.orgId, ctx.now);
  const endsAt = call.startedAt + CHANGE_MS;
  const { customer, created } = await inCallTime(endsAt, () => getTarget(ctx, scope, environmentId, named));
  const plans = loaded.prepared?.content.plans ?? [];
  const isLive = loaded.snapshot.environmentType === 'live';
  return {
    shop: { ctx, orgId: scope.orgId, environmentId, isLive, plans },
    buyer: { id: customer, email: created?.email ?? null, name: created?.name ?? null },
  };
}

function keyOf(call: PublicCall, field: string | undefined): string | undefined {
  return keyOfHeader(headerKeyOf(call), field, 'idempotencyKey');
}

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** As sent, so that Stripe finds its placeholder in it. @throws {ApiError} invalid-request naming the field */
function pageUrl({ isLive }: Shop, field: string, text: string): string {
  const url = URL.parse(text);
  const isLocal = url?.protocol === 'http:' && LOCAL.has(url.hostname) && !isLive;
  const isPlain = url?.username === '' && url.password === '';
  if (url !== null && isPlain && (url.protocol === 'https:' || isLocal)) return text;
  const also = isLive ? '' : ', or http on localhost';
  throw invalidField(field, `Must be an address that begins with https://${also}`);
}

type Said = 'status' | 'requestId' | 'customer';

function answerOf<Answer extends PageAnswer | PreviewAnswer>(
  { requestId }: PublicCall,
  { id }: Buyer,
  rest: Omit<Answer, Said>,
): PublicAnswer {
  const answer = { status: 'success', requestId, customer: id, ...rest };
  return { text: JSON.stringify(answer), outcome: null, recordedBody: null, ledgerMs: 0 };
}
