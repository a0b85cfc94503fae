// Stripe's error responses: keys, permissions, parameters, and fault injection.
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { newPlan, ownEmulator, refusalOf } from './own-emulator.ts';

const emulator = ownEmulator();

test('unknown, expired and missing keys give different errors, which never contain the whole key', async () => {
  const { keys } = emulator.account();
  const wrong = await refusalOf(emulator.sdk('sk_test_nobodys_own_key').accounts.retrieveCurrent());
  expect(wrong).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  expect(wrong.message).toBe('Invalid API Key provided: sk_test_***********_key');
  const expired = await refusalOf(emulator.sdk(keys.expiredKey).accounts.retrieveCurrent());
  expect([expired.statusCode, expired.code]).toEqual([401, 'api_key_expired']);
  const none = await fetch(`${emulator.url()}/v1/account`);
  expect([none.status, await none.json()]).toMatchObject([
    401,
    { error: { type: 'invalid_request_error', message: /^You did not provide an API key/ } },
  ]);
});

test('a restricted key is limited to its permissions; the error names the missing one', async () => {
  const { keys } = emulator.account();
  const endpoint = { url: 'https://tessera.example/hook', enabled_events: ['*' as const] };
  const allowed = emulator.sdk(keys.restrictedKey);
  expect((await allowed.accounts.retrieveCurrent()).id).toBe(keys.accountId);
  expect((await allowed.webhookEndpoints.create(endpoint)).secret).toMatch(/^whsec_/);
  const denied = await refusalOf(emulator.sdk(keys.readOnlyKey).webhookEndpoints.create(endpoint));
  expect(denied).toBeInstanceOf(Stripe.errors.StripePermissionError);
  expect(denied.message).toContain("Having the 'rak_webhook_write' permission would allow this request");
  expect((await refusalOf(allowed.customers.create({}))).statusCode).toBe(403);
});

test('a restricted key reads what customers pay with, and changes nothing of it', async () => {
  const { keys, stripe } = emulator.account();
  const customer = await stripe.customers.create();
  for (const key of [keys.restrictedKey, keys.readOnlyKey]) {
    const { charges, paymentIntents, refunds, disputes, checkout, coupons } = emulator.sdk(key);
    const lists = [charges, paymentIntents, refunds, disputes, checkout.sessions, coupons];
    const read = await Promise.all(lists.map((resource) => resource.list()));
    expect(read.map(({ data }) => data)).toEqual(lists.map(() => []));
    const refused = await Promise.all(
      [
        charges.update('ch_1', {}),
        paymentIntents.create({ amount: 100, currency: 'usd', customer: customer.id }),
        refunds.create({ charge: 'ch_1' }),
        disputes.close('dp_1'),
        checkout.sessions.create({ mode: 'payment' }),
        coupons.create({ percent_off: 10 }),
      ].map(refusalOf),
    );
    expect(refused.map(({ message }) => /rak_\w+/.exec(message)?.[0])).toEqual([
      'rak_charge_write',
      'rak_payment_intent_write',
      'rak_charge_write',
      'rak_dispute_write',
      'rak_checkout_session_write',
      'rak_coupon_write',
    ]);
  }
});

test('a permission to write includes reading, so without reading there is no writing', async () => {
  const { keys, control } = emulator.account();
  const { webhookEndpoints } = emulator.sdk(keys.restrictedKey);
  expect((await webhookEndpoints.list()).data).toEqual([]);
  await control('POST', `/keys/${keys.restrictedKey}/forbid`, { permission: 'rak_webhook_read' });
  const endpoint = { url: 'https://tessera.example/hook', enabled_events: ['*' as const] };
  const refused = await Promise.all(
    [webhookEndpoints.list(), webhookEndpoints.create(endpoint)].map(refusalOf),
  );
  expect(refused.map(({ message }) => /rak_\w+/.exec(message)?.[0])).toEqual([
    'rak_webhook_read',
    'rak_webhook_write',
  ]);
});

test('a key can be revoked and restored', async () => {
  const { keys, stripe, control } = emulator.account();
  await control('POST', `/keys/${keys.secretKey}/expire`);
  expect((await refusalOf(stripe.customers.list())).statusCode).toBe(401);
  await control('POST', `/keys/${keys.secretKey}/restore`);
  expect((await stripe.customers.list()).data).toEqual([]);
});

test('a missing object is a 404 in the path and a 400 as a parameter', async () => {
  const { stripe } = emulator.account();
  const inPath = await refusalOf(stripe.customers.retrieve('cus_nobody'));
  expect(inPath).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'id',
    message: "No such customer: 'cus_nobody'",
    requestId: expect.stringMatching(/^req_/),
  });
  const asParameter = await refusalOf(
    stripe.subscriptions.create({ customer: 'cus_nobody', items: [{ price: 'price_none' }] }),
  );
  expect(asParameter).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
  const { id } = await stripe.customers.create();
  const price = await refusalOf(
    stripe.subscriptions.create({ customer: id, items: [{ price: 'price_none' }] }),
  );
  expect(price.param).toBe('items[0][price]');
});

test('the error names missing, malformed, empty and unknown parameters', async () => {
  const { stripe } = emulator.account();
  const refusals = await Promise.all(
    [
      stripe.products.create({} as Stripe.ProductCreateParams),
      stripe.customers.list({ limit: 101 }),
      stripe.customers.list({ limit: 'many' as unknown as number }),
      stripe.customers.create({ nonsense: 'x' } as Stripe.CustomerCreateParams),
      stripe.products.create({ name: '' }),
      stripe.customers.list({ expand: ['data.nonsense'] }).then(async () => {
        await stripe.customers.create();
        return stripe.customers.list({ expand: ['data.nonsense'] });
      }),
    ].map(refusalOf),
  );
  expect(refusals.map(({ statusCode, code, param }) => [statusCode, code, param])).toEqual([
    [400, 'parameter_missing', 'name'],
    [400, 'parameter_invalid_integer', 'limit'],
    [400, 'parameter_invalid_integer', 'limit'],
    [400, 'parameter_unknown', 'nonsense'],
    [400, 'parameter_invalid_empty', 'name'],
    [400, undefined, 'expand'],
  ]);
});

test('expand allows at most four levels, below data in a list', async () => {
  const { stripe } = emulator.account();
  const { price } = await newPlan(stripe);
  const { id: customer } = await stripe.customers.create();
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] });
  const expand = ['items.data.price.product', 'customer'];
  const subscription = await stripe.subscriptions.retrieve(id, { expand });
  expect(subscription).toMatchObject({
    customer: { id: customer },
    items: { data: [{ price: { product: { name: 'Pro' } } }] },
  });
  const refusals = await Promise.all([
    refusalOf(stripe.subscriptions.list({ expand: ['data.items.data.price.product'] })),
    refusalOf(stripe.subscriptions.list({ expand: ['customer'] })),
  ]);
  expect(refusals.map(({ code, message }) => [code, message])).toEqual([
    [
      'property_expansion_max_depth',
      'You cannot expand more than 4 levels of a property. Property: data.items.data.price.product',
    ],
    [
      undefined,
      "This property cannot be expanded (customer). You may want to try expanding 'data.customer' instead.",
    ],
  ]);
});

test('a failed call has no effect', async () => {
  const { stripe } = emulator.account();
  await refusalOf(stripe.customers.create({ email: 'a@customers.example', nonsense: '1' } as object));
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.events.list()).data).toEqual([]);
});

test('an idempotency key replays its response, and rejects a different request', async () => {
  const { stripe, live } = emulator.account();
  const options = { idempotencyKey: 'once' };
  const first = await stripe.customers.create({ name: 'Ada' }, options);
  const again = await stripe.customers.create({ name: 'Ada' }, options);
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  const other = await refusalOf(stripe.customers.create({ name: 'Grace' }, options));
  expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  expect(other.statusCode).toBe(400);
  expect((await live.customers.create({ name: 'Grace' }, options)).name).toBe('Grace');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('an idempotency key replays a failure of the server, and another key gets through', async () => {
  const { stripe, control } = emulator.account();
  const create = (idempotencyKey: string) =>
    stripe.customers.create({ name: 'Ada' }, { idempotencyKey, maxNetworkRetries: 0 });
  await control('PATCH', '/faults', { failNext: 1 });
  const failed = await refusalOf(create('first'));
  expect([failed.statusCode, failed.headers?.['idempotent-replayed']]).toEqual([500, undefined]);
  const again = await refusalOf(create('first'));
  expect([again.statusCode, again.headers?.['idempotent-replayed']]).toEqual([500, 'true']);
  expect((await create('second')).name).toBe('Ada');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('an idempotency key replays that an object is missing, but not that a parameter is invalid', async () => {
  const { stripe } = emulator.account();
  const { price } = await newPlan(stripe);
  const subscribe = (customer: string, idempotencyKey: string) =>
    stripe.subscriptions.create({ customer, items: [{ price }] }, { idempotencyKey });
  for (const replayed of [undefined, 'true']) {
    const missing = await refusalOf(subscribe('cus_none', 'missing'));
    expect([missing.code, missing.headers?.['idempotent-replayed']]).toEqual(['resource_missing', replayed]);
  }
  for (let attempt = 0; attempt < 2; attempt++) {
    const invalid = await refusalOf(subscribe('', 'invalid'));
    expect([invalid.statusCode, invalid.headers?.['idempotent-replayed']]).toEqual([400, undefined]);
  }
});

test('a second request with an idempotency key in use is a 409, and replays the response later', async () => {
  const { stripe, control } = emulator.account();
  const create = () =>
    stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'same', maxNetworkRetries: 0 });
  await control('PATCH', '/faults', { slowByMs: 200 });
  const [first, second] = await Promise.allSettled([create(), create()]);
  const rejected = first.status === 'rejected' ? first : second;
  expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(rejected).toMatchObject({ reason: { statusCode: 409, code: 'idempotency_key_in_use' } });
  expect((await create()).lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('fault injection returns the requested number of 429s, 500s and dropped responses', async () => {
  const { stripe, control, live } = emulator.account();
  await control('PATCH', '/faults', { refuseNext: 2, retryAfterS: 3 });
  const refusal = await refusalOf(stripe.customers.list());
  expect(refusal).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
  expect(refusal.headers?.['retry-after']).toBe('3');
  expect((await refusalOf(live.customers.list())).statusCode).toBe(429);
  await stripe.customers.list();

  await control('PATCH', '/faults', { failNext: 1, onlyRequests: 'POST /v1/products' });
  await stripe.customers.list();
  expect((await refusalOf(stripe.products.create({ name: 'Pro' }))).statusCode).toBe(500);
  expect((await stripe.products.list()).data).toEqual([]);

  await control('PATCH', '/faults', { loseAnswers: 1, onlyRequests: 'POST /v1/customers' });
  await stripe.customers.create({ name: 'Ada' }); // The SDK retries by itself when the connection breaks.
  expect((await stripe.customers.list()).data).toHaveLength(1);

  await control('PATCH', '/faults', { isDown: true, onlyRequests: '' });
  expect(await refusalOf(stripe.customers.list())).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  await control('DELETE', '/faults');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('a rate limit applies per second, and faults apply to one account only', async () => {
  const { stripe, control } = emulator.account();
  const other = emulator.account();
  await control('PATCH', '/faults', { requestsPerSecond: 3 });
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => stripe.customers.list()));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await other.stripe.customers.list();
  const { counts, requests } = await control<{ counts: object; requests: { status: number }[] }>(
    'GET',
    '/requests',
  );
  expect(counts).toEqual({ 'GET /v1/customers': 6 });
  expect(requests.filter(({ status }) => status === 429)).toHaveLength(3);
});

test('a cancelled subscription cannot be cancelled or changed again', async () => {
  const { stripe } = emulator.account();
  const { price } = await newPlan(stripe);
  const { id: customer } = await stripe.customers.create();
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] });
  expect((await stripe.subscriptions.cancel(id)).status).toBe('canceled');
  expect((await refusalOf(stripe.subscriptions.cancel(id))).code).toBe('resource_missing');
  expect((await refusalOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }))).statusCode).toBe(
    400,
  );
});

test('unknown paths are a 404 with Stripe’s message', async () => {
  const { keys } = emulator.account();
  const response = await fetch(`${emulator.url()}/v1/nonsense`, {
    headers: { authorization: `Bearer ${keys.secretKey}` },
  });
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { message: /^Unrecognized request URL \(GET: \/v1\/nonsense\)/ } },
  ]);
});

test('a key reads its own account only', async () => {
  const [own, other] = [emulator.account(), emulator.account()];
  expect((await own.stripe.accounts.retrieve(own.keys.accountId)).id).toBe(own.keys.accountId);
  const refusals = await Promise.all([
    refusalOf(own.stripe.accounts.retrieve(other.keys.accountId)),
    refusalOf(own.stripe.customers.list({}, { stripeAccount: other.keys.accountId })),
  ]);
  expect(refusals.map(({ statusCode, code }) => [statusCode, code])).toEqual([
    [403, 'account_invalid'],
    [403, 'account_invalid'],
  ]);
});
