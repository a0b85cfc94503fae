// Coupons and promotion codes: what they take off, how long they last, and when they are refused.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { AccountRequest } from '../control/create-account.ts';
import { newPlan, type OwnAccount, ownEmulator, press, refusalOf } from './own-emulator.ts';

let nowMs = Date.parse('2026-01-31T12:00:00Z');
const emulator = ownEmulator({ sendsWebhooks: false, now: () => nowMs });

const success_url = 'https://tessera.example/ok';

async function newShop(
  request: AccountRequest = {},
): Promise<OwnAccount & { price: string; product: string; customer: string }> {
  const account = emulator.account(request);
  const { price, product } = await newPlan(account.stripe, 'Pro', 1000);
  const { id: customer } = await account.stripe.customers.create({ email: 'ada@customers.example' });
  return { ...account, price, product: product.id, customer };
}

async function endPeriod({ control }: OwnAccount, id: string): Promise<void> {
  await control('POST', `/subscriptions/${id}`, { change: 'end-period' });
}

async function totalsOf({ stripe }: OwnAccount, customer: string): Promise<number[]> {
  const { data } = await stripe.invoices.list({ customer });
  return data.map(({ total }) => total).reverse();
}

test('a coupon is created, listed, renamed and deleted; what it takes off stays', async () => {
  const { stripe, product } = await newShop();
  const coupon = await stripe.coupons.create({
    id: 'SPRING',
    percent_off: 12.5,
    duration: 'repeating',
    duration_in_months: 3,
    applies_to: { products: [product] },
    metadata: { campaign: 'spring' },
  });
  expect(coupon).toMatchObject({ id: 'SPRING', percent_off: 12.5, valid: true, times_redeemed: 0 });
  expect(coupon).not.toHaveProperty('applies_to');
  const expanded = await stripe.coupons.retrieve('SPRING', { expand: ['applies_to'] });
  expect(expanded.applies_to).toEqual({ products: [product] });
  expect(await stripe.coupons.update('SPRING', { name: 'Spring' })).toMatchObject({
    name: 'Spring',
    percent_off: 12.5,
    metadata: { campaign: 'spring' },
  });
  expect((await stripe.coupons.list()).data.map(({ id }) => id)).toEqual(['SPRING']);
  expect(await stripe.coupons.del('SPRING')).toEqual(
    expect.objectContaining({ id: 'SPRING', deleted: true }),
  );
  expect((await stripe.coupons.list()).data).toEqual([]);
  const events = await stripe.events.list({ type: 'coupon.*' });
  expect(events.data.map(({ type }) => type)).toEqual(['coupon.deleted', 'coupon.updated', 'coupon.created']);
});

test('a malformed coupon is refused with the name of the field', async () => {
  const { stripe } = await newShop();
  const past = Math.floor(nowMs / 1000) - 1;
  const calls: [Stripe.CouponCreateParams, string][] = [
    [{}, 'percent_off'],
    [{ percent_off: 10, amount_off: 100, currency: 'gbp' }, 'percent_off'],
    [{ percent_off: 0 }, 'percent_off'],
    [{ percent_off: 100.5 }, 'percent_off'],
    [{ amount_off: 100 }, 'currency'],
    [{ amount_off: 0, currency: 'gbp' }, 'amount_off'],
    [{ percent_off: 10, duration: 'repeating' }, 'duration_in_months'],
    [{ percent_off: 10, duration: 'once', duration_in_months: 2 }, 'duration_in_months'],
    [{ percent_off: 10, redeem_by: past }, 'redeem_by'],
    [{ percent_off: 10, applies_to: { products: ['prod_none'] } }, 'applies_to[products][0]'],
  ];
  for (const [params, param] of calls) {
    expect((await refusalOf(stripe.coupons.create(params))).param).toBe(param);
  }
});

test('an unknown coupon, code or discount is a 404 in the path and a 400 that names the parameter elsewhere', async () => {
  const { stripe, customer, price } = await newShop();
  const items = [{ price }];
  const checkout = { mode: 'subscription' as const, success_url, line_items: [{ price, quantity: 1 }] };
  const calls: [Promise<unknown>, number, string][] = [
    [stripe.coupons.retrieve('NONE'), 404, 'id'],
    [stripe.coupons.update('NONE', { name: 'x' }), 404, 'id'],
    [stripe.coupons.del('NONE'), 404, 'id'],
    [stripe.promotionCodes.retrieve('promo_none'), 404, 'id'],
    [
      stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: 'NONE' } }),
      400,
      'promotion[coupon]',
    ],
    [
      stripe.subscriptions.create({ customer, items, discounts: [{ coupon: 'NONE' }] }),
      400,
      'discounts[0][coupon]',
    ],
    [
      stripe.subscriptions.create({ customer, items, discounts: [{ promotion_code: 'promo_none' }] }),
      400,
      'discounts[0][promotion_code]',
    ],
    [
      stripe.subscriptions.create({ customer, items, discounts: [{ discount: 'di_none' }] }),
      400,
      'discounts[0][discount]',
    ],
    [
      stripe.checkout.sessions.create({ ...checkout, discounts: [{ coupon: 'NONE' }] }),
      400,
      'discounts[0][coupon]',
    ],
    [stripe.invoices.create({ customer, discounts: [{ coupon: 'NONE' }] }), 400, 'discounts[0][coupon]'],
  ];
  for (const [call, status, param] of calls) {
    expect(await refusalOf(call)).toMatchObject({ statusCode: status, code: 'resource_missing', param });
  }
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
});

test.for<[duration: Stripe.CouponCreateParams['duration'], months: number | undefined, totals: number[]]>([
  ['once', undefined, [750, 1000, 1000, 1000]],
  ['repeating', 2, [750, 750, 1000, 1000]],
  ['forever', undefined, [750, 750, 750, 750]],
])('a discount that lasts %s applies to its invoices only', async ([duration, months, totals]) => {
  const shop = await newShop();
  const { stripe, customer, price } = shop;
  const { id: coupon } = await stripe.coupons.create({
    percent_off: 25,
    duration,
    ...(months === undefined ? {} : { duration_in_months: months }),
  });
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    discounts: [{ coupon }],
  });
  for (let period = 1; period < totals.length; period += 1) await endPeriod(shop, id);
  expect(await totalsOf(shop, customer)).toEqual(totals);
  const { discounts } = await stripe.subscriptions.retrieve(id);
  expect(discounts).toHaveLength(duration === 'forever' ? 1 : 0);
  expect((await stripe.coupons.retrieve(coupon)).times_redeemed).toBe(1);
});

test('a discount for one invoice waits until a trial is over', async () => {
  const shop = await newShop();
  const { stripe, customer, price } = shop;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25, duration: 'once' });
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    trial_period_days: 7,
    discounts: [{ coupon }],
  });
  await endPeriod(shop, id);
  await endPeriod(shop, id);
  expect(await totalsOf(shop, customer)).toEqual([0, 750, 1000]);
});

test('an invoice says what each discount takes off each line, and the sums are exact', async () => {
  const shop = await newShop();
  const { stripe, customer, product } = shop;
  const other = await newPlan(stripe, 'Seats', 333);
  const only = await stripe.coupons.create({
    percent_off: 10,
    duration: 'forever',
    applies_to: { products: [product] },
  });
  const all = await stripe.coupons.create({ amount_off: 100, currency: 'gbp', duration: 'forever' });
  const items = [{ price: shop.price }, { price: other.price, quantity: 3 }];
  const { latest_invoice } = await stripe.subscriptions.create({
    customer,
    items,
    discounts: [{ coupon: only.id }, { coupon: all.id }],
    expand: ['latest_invoice.discounts'],
  });
  const invoice = latest_invoice as Stripe.Invoice;
  const [first, second] = invoice.discounts as Stripe.Discount[];
  expect([first?.source.coupon, second?.source.coupon]).toEqual([only.id, all.id]);
  expect(invoice).toMatchObject({ subtotal: 1999, total: 1799, amount_due: 1799, amount_paid: 1799 });
  expect(invoice.total_discount_amounts).toEqual([
    { amount: 100, discount: first?.id },
    { amount: 100, discount: second?.id },
  ]);
  const amounts = invoice.lines.data.map(({ discount_amounts }) => discount_amounts ?? []);
  expect(amounts.map((each) => each.map(({ amount }) => amount))).toEqual([[100, 47], [53]]);
});

test('an amount takes off no more than there is, and is refused in another currency', async () => {
  const shop = await newShop();
  const { stripe, customer, price } = shop;
  const big = await stripe.coupons.create({ amount_off: 5000, currency: 'gbp', duration: 'once' });
  const foreign = await stripe.coupons.create({ amount_off: 500, currency: 'eur' });
  const items = [{ price }];
  const refusal = await refusalOf(
    stripe.subscriptions.create({ customer, items, discounts: [{ coupon: foreign.id }] }),
  );
  expect([refusal.statusCode, refusal.param]).toEqual([400, 'discounts[0][coupon]']);
  await stripe.subscriptions.create({ customer, items, discounts: [{ coupon: big.id }] });
  expect(await totalsOf(shop, customer)).toEqual([0]);
});

test('an invoice of nothing is paid at once, without a card and without a payment', async () => {
  const { stripe, customer, price } = await newShop({ givesCards: false });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 100, duration: 'forever' });
  const { latest_invoice, status } = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    discounts: [{ coupon }],
    expand: ['latest_invoice.payments'],
  });
  expect(status).toBe('active');
  expect(latest_invoice).toMatchObject({
    status: 'paid',
    subtotal: 1000,
    total: 0,
    amount_due: 0,
    payments: { data: [] },
  });
  expect((await stripe.paymentIntents.list({ customer })).data).toEqual([]);
});

test('a subscription’s discounts are replaced, kept by their id, and removed', async () => {
  const { stripe, customer, price } = await newShop();
  const [ten, twenty] = [
    await stripe.coupons.create({ percent_off: 10, duration: 'forever' }),
    await stripe.coupons.create({ percent_off: 20, duration: 'forever' }),
  ];
  const { id, discounts } = await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    discounts: [{ coupon: ten.id }],
  });
  const both = await stripe.subscriptions.update(id, {
    discounts: [{ discount: String(discounts[0]) }, { coupon: twenty.id }],
    expand: ['discounts'],
  });
  expect(both.discounts.map((each) => (each as Stripe.Discount).source.coupon)).toEqual([ten.id, twenty.id]);
  const preview = await stripe.invoices.createPreview({ subscription: id });
  expect(preview.total).toBe(720);
  expect((await stripe.subscriptions.update(id, { discounts: '' })).discounts).toEqual([]);
  expect((await stripe.coupons.retrieve(ten.id)).times_redeemed).toBe(1);
  const deleted = await stripe.events.list({ type: 'customer.discount.deleted' });
  expect(deleted.data).toHaveLength(2);
});

test('a coupon is used up, expires, and is deleted; the discounts that it gave go on', async () => {
  const shop = await newShop();
  const { stripe, customer, price } = shop;
  const items = [{ price }];
  const soon = Math.floor(nowMs / 1000) + 60;
  const once = await stripe.coupons.create({ percent_off: 50, duration: 'forever', max_redemptions: 1 });
  const timed = await stripe.coupons.create({ percent_off: 50, redeem_by: soon });
  const { id } = await stripe.subscriptions.create({ customer, items, discounts: [{ coupon: once.id }] });
  expect((await stripe.coupons.retrieve(once.id)).valid).toBe(false);
  nowMs += 120_000;
  for (const coupon of [once.id, timed.id]) {
    expect(
      await refusalOf(stripe.subscriptions.create({ customer, items, discounts: [{ coupon }] })),
    ).toMatchObject({ statusCode: 400, code: 'coupon_expired', param: 'discounts[0][coupon]' });
  }
  await stripe.coupons.del(once.id);
  await endPeriod(shop, id);
  expect(await totalsOf(shop, customer)).toEqual([500, 500]);
});

test('a checkout with a coupon costs what is left, and its subscription keeps the discount', async () => {
  const shop = await newShop();
  const { stripe, price } = shop;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 30, duration: 'forever' });
  const { id, url, ...session } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    success_url,
    line_items: [{ price, quantity: 2 }],
    discounts: [{ coupon }],
  });
  expect(session).toMatchObject({
    amount_subtotal: 2000,
    amount_total: 1400,
    total_details: { amount_discount: 600 },
    discounts: [{ coupon, promotion_code: null }],
  });
  expect(await (await fetch(url!)).text()).toContain('Pay £14.00');
  await press(`${url}/pay`, { email: 'new@customers.example' });
  const paid = await stripe.checkout.sessions.retrieve(id, {
    expand: ['subscription.discounts', 'line_items'],
  });
  expect(paid).toMatchObject({ payment_status: 'paid', amount_total: 1400 });
  expect(paid.line_items?.data).toMatchObject([
    { amount_subtotal: 2000, amount_discount: 600, amount_total: 1400 },
  ]);
  const subscription = paid.subscription as Stripe.Subscription;
  expect(subscription.discounts).toMatchObject([{ source: { coupon }, subscription: subscription.id }]);
  expect(await totalsOf(shop, String(paid.customer))).toEqual([1400]);
});

test('a checkout of nothing needs no payment; it collects a card unless that is only if required', async () => {
  const { stripe, price } = await newShop();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 100, duration: 'once' });
  const open = async (collection: 'always' | 'if_required') => {
    const { id, url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      success_url,
      line_items: [{ price, quantity: 1 }],
      discounts: [{ coupon }],
      payment_method_collection: collection,
    });
    const shown = await (await fetch(url!)).text();
    expect(shown).toContain('Subscribe</button>');
    await press(`${url}/pay`, { email: `${collection}@customers.example` });
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      amount_total: 0,
    });
    return (session.subscription as Stripe.Subscription).default_payment_method;
  };
  expect(await open('always')).toMatch(/^pm_/);
  expect(await open('if_required')).toBeNull();
});

test('a promotion code is entered in the checkout, in any case, refused if it does not apply, and counted', async () => {
  const { stripe, price } = await newShop();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 20, name: 'Friends' });
  const promotion = { type: 'coupon' as const, coupon };
  const code = await stripe.promotionCodes.create({ promotion, code: 'FRIENDS20', max_redemptions: 1 });
  await stripe.promotionCodes.create({
    promotion,
    code: 'BIG',
    restrictions: { minimum_amount: 5000, minimum_amount_currency: 'gbp' },
  });
  expect(await refusalOf(stripe.promotionCodes.create({ promotion, code: 'friends20' }))).toMatchObject({
    statusCode: 400,
    param: 'code',
  });
  const line_items = [{ price, quantity: 1 }];
  const checkout = { mode: 'subscription' as const, success_url, line_items };
  expect(
    await refusalOf(
      stripe.checkout.sessions.create({ ...checkout, allow_promotion_codes: true, discounts: [{ coupon }] }),
    ),
  ).toMatchObject({ statusCode: 400, param: 'allow_promotion_codes' });
  const { id, url } = await stripe.checkout.sessions.create({ ...checkout, allow_promotion_codes: true });
  const { id: product } = await stripe.products.create({ name: 'Other' });
  const elsewhere = await stripe.coupons.create({ percent_off: 20, applies_to: { products: [product] } });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: elsewhere.id }, code: 'OTHER' });
  for (const [entered, words] of [
    ['nonsense', 'This code is invalid.'],
    ['"><script>', 'This code is invalid.'],
    ['BIG', 'the minimum amount has not been met'],
    ['OTHER', 'This code does not apply to what you buy.'],
  ] as const) {
    const refused = await press(`${url}/promotion`, { code: entered });
    expect(refused.status).toBe(400);
    const text = await refused.text();
    expect(text).toContain(words);
    expect(text).not.toContain('<script>');
  }
  expect((await press(`${url}/promotion`, { code: 'friends20' })).status).toBe(303);
  expect(await (await fetch(url!)).text()).toContain('Pay £8.00');
  await press(`${url}/promotion`, { code: '' });
  expect((await stripe.checkout.sessions.retrieve(id)).amount_total).toBe(1000);
  await press(`${url}/promotion`, { code: 'friends20' });
  await press(`${url}/pay`, { email: 'friend@customers.example' });
  const paid = await stripe.checkout.sessions.retrieve(id);
  expect(paid).toMatchObject({ amount_total: 800, discounts: [{ coupon: null, promotion_code: code.id }] });
  expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 1, active: false });
  expect((await stripe.promotionCodes.list({ code: 'FRIENDS20' })).data).toHaveLength(1);
  const later = await stripe.checkout.sessions.create({ ...checkout, allow_promotion_codes: true });
  expect((await press(`${later.url}/promotion`, { code: 'friends20' })).status).toBe(400);
});

test('a code for a customer’s first transaction is refused after another one', async () => {
  const { stripe, customer, price } = await newShop();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 20 });
  const { id: promotion_code } = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon },
    restrictions: { first_time_transaction: true },
  });
  const subscribe = () =>
    stripe.subscriptions.create({ customer, items: [{ price }], discounts: [{ promotion_code }] });
  await subscribe();
  expect(await refusalOf(subscribe())).toMatchObject({
    statusCode: 400,
    param: 'discounts[0][promotion_code]',
    message: expect.stringContaining('prior transactions'),
  });
});
