// Invoices without a subscription: their items, and how they are finalized, paid and closed.
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { ownEmulator, refusalOf } from './own-emulator.ts';

let nowMs = Date.parse('2026-03-01T12:00:00Z');
const emulator = ownEmulator({ sendsWebhooks: false, now: () => nowMs });

async function newShop() {
  const account = emulator.account();
  const { id: customer } = await account.stripe.customers.create({ email: 'ada@customers.example' });
  const { default_price } = await account.stripe.products.create({
    name: 'Credits',
    default_price_data: { currency: 'gbp', unit_amount: 250 },
  });
  return { ...account, customer, price: String(default_price) };
}

test('an invoice takes the items that wait for it, is finalized once, and paid', async () => {
  const { stripe, customer, price } = await newShop();
  await stripe.invoiceItems.create({ customer, pricing: { price }, quantity: 4 });
  await stripe.invoiceItems.create({ customer, amount: 300, currency: 'gbp', description: 'Set-up' });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10 });
  const draft = await stripe.invoices.create({
    customer,
    pending_invoice_items_behavior: 'include',
    discounts: [{ coupon }],
    metadata: { order: '7' },
  });
  expect(draft).toMatchObject({
    status: 'draft',
    number: null,
    billing_reason: 'manual',
    auto_advance: false,
    parent: null,
    subtotal: 1300,
    total: 1170,
    metadata: { order: '7' },
  });
  expect(draft.lines.data).toMatchObject([
    { amount: 1000, quantity: 4, pricing: { price_details: { price } } },
    { amount: 300, description: 'Set-up', pricing: null },
  ]);
  const opened = await stripe.invoices.finalizeInvoice(draft.id);
  expect(opened).toMatchObject({ status: 'open', number: expect.stringMatching(/-0001$/), amount_due: 1170 });
  expect((await refusalOf(stripe.invoices.finalizeInvoice(draft.id))).code).toBe('invoice_not_editable');
  expect(
    await refusalOf(stripe.invoiceItems.create({ customer, invoice: draft.id, amount: 1, currency: 'gbp' })),
  ).toMatchObject({ code: 'invoice_not_editable', param: 'invoice' });
  expect(await stripe.invoices.pay(draft.id)).toMatchObject({ status: 'paid', amount_paid: 1170 });
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).reverse();
  expect(types.filter((type) => /^(invoice|payment_intent|charge)/.test(type))).toEqual([
    'invoiceitem.created',
    'invoiceitem.created',
    'invoice.created',
    'invoice.finalized',
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice_payment.paid',
  ]);
});

test('a draft follows its items, and is deleted with them', async () => {
  const { stripe, customer } = await newShop();
  const { id } = await stripe.invoices.create({ customer });
  const item = await stripe.invoiceItems.create({ customer, invoice: id, amount: 400, currency: 'gbp' });
  await stripe.invoiceItems.create({ customer, invoice: id, amount: 100, currency: 'gbp' });
  expect((await stripe.invoices.retrieve(id)).total).toBe(500);
  await stripe.invoiceItems.del(item.id);
  expect((await stripe.invoices.retrieve(id)).total).toBe(100);
  expect((await stripe.invoices.listLineItems(id)).data).toHaveLength(1);
  await stripe.invoices.del(id);
  expect((await refusalOf(stripe.invoices.retrieve(id))).statusCode).toBe(404);
  expect((await stripe.invoiceItems.list({ customer })).data).toEqual([]);
});

test('a draft that advances is finalized and charged after an hour', async () => {
  const { stripe, customer } = await newShop();
  const { id } = await stripe.invoices.create({ customer, auto_advance: true });
  await stripe.invoiceItems.create({ customer, invoice: id, amount: 400, currency: 'gbp' });
  expect((await stripe.invoices.retrieve(id)).automatically_finalizes_at).toBe(
    Math.floor(nowMs / 1000) + 3600,
  );
  nowMs += 3_601_000;
  await expect.poll(async () => (await stripe.invoices.retrieve(id)).status).toBe('paid');
});

test('a draft of a customer on a test clock is finalized by that clock alone', async () => {
  const { stripe } = await newShop();
  const frozen_time = Math.floor(nowMs / 1000) - 86_400;
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time });
  const { id: customer } = await stripe.customers.create({ test_clock: clock.id });
  const { id } = await stripe.invoices.create({ customer, auto_advance: true });
  await stripe.invoiceItems.create({ customer, invoice: id, amount: 400, currency: 'gbp' });
  const { id: ordinary } = await stripe.customers.create();
  const { id: other } = await stripe.invoices.create({ customer: ordinary, auto_advance: true });
  nowMs += 3_601_000;
  await expect.poll(async () => (await stripe.invoices.retrieve(other)).status).toBe('paid');
  expect((await stripe.invoices.retrieve(id)).status).toBe('draft');
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozen_time + 7200 });
  await expect.poll(async () => (await stripe.invoices.retrieve(id)).status).toBe('paid');
});

test('an invoice of nothing is paid when it is finalized; one that is sent waits for the customer', async () => {
  const { stripe, customer } = await newShop();
  const { id: free } = await stripe.invoices.create({ customer });
  expect((await stripe.invoices.finalizeInvoice(free)).status).toBe('paid');
  expect(
    await refusalOf(stripe.invoices.create({ customer, collection_method: 'send_invoice' })),
  ).toMatchObject({ statusCode: 400, param: 'due_date' });
  const sent = await stripe.invoices.create({
    customer,
    collection_method: 'send_invoice',
    days_until_due: 30,
  });
  await stripe.invoiceItems.create({ customer, invoice: sent.id, amount: 400, currency: 'gbp' });
  expect(await stripe.invoices.sendInvoice(sent.id)).toMatchObject({
    status: 'open',
    due_date: Math.floor(nowMs / 1000) + 30 * 86_400,
  });
  expect(await stripe.invoices.pay(sent.id, { paid_out_of_band: true })).toMatchObject({ status: 'paid' });
});

test('an open invoice is voided with its payment, or given up', async () => {
  const { stripe, customer } = await newShop();
  const open = async () => {
    const { id } = await stripe.invoices.create({ customer });
    await stripe.invoiceItems.create({ customer, invoice: id, amount: 400, currency: 'gbp' });
    return stripe.invoices.finalizeInvoice(id, { expand: ['payments', 'confirmation_secret'] });
  };
  const [one, two] = [await open(), await open()];
  expect(one.confirmation_secret?.client_secret).toMatch(/^pi_\w+_secret_\w+$/);
  expect((await stripe.invoices.voidInvoice(one.id)).status).toBe('void');
  const intent = String(one.payments?.data[0]?.payment.payment_intent);
  expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'void_invoice',
  });
  expect((await stripe.invoices.markUncollectible(two.id)).status).toBe('uncollectible');
  for (const call of [stripe.invoices.voidInvoice(one.id), stripe.invoices.markUncollectible(one.id)]) {
    expect((await refusalOf(call)).statusCode).toBe(400);
  }
});

test('confirming the payment of an incomplete subscription’s invoice makes it active', async () => {
  const { stripe, customer } = await newShop();
  const { default_price } = await stripe.products.create({
    name: 'Pro',
    default_price_data: { currency: 'gbp', unit_amount: 900, recurring: { interval: 'month' } },
  });
  const { id, status, latest_invoice } = await stripe.subscriptions.create({
    customer,
    items: [{ price: String(default_price) }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice.payments'],
  });
  expect(status).toBe('incomplete');
  const [payment] = (latest_invoice as Stripe.Invoice).payments?.data ?? [];
  await stripe.paymentIntents.confirm(String(payment?.payment.payment_intent), {
    payment_method: 'pm_card_visa',
  });
  expect(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'paid' },
  });
});

test('a malformed item or invoice is refused with the name of the field', async () => {
  const { stripe, customer, price } = await newShop();
  const { id: other } = await stripe.customers.create();
  const { id: invoice } = await stripe.invoices.create({ customer });
  const calls: [Promise<unknown>, string][] = [
    [stripe.invoices.create({}), 'customer'],
    [stripe.invoices.create({ customer: 'cus_none' }), 'customer'],
    [stripe.invoices.create({ customer, default_payment_method: 'pm_none' }), 'default_payment_method'],
    [stripe.invoiceItems.create({ customer }), 'amount'],
    [stripe.invoiceItems.create({ customer, amount: 5 }), 'currency'],
    [stripe.invoiceItems.create({ customer, pricing: { price: 'price_none' } }), 'pricing[price]'],
    [stripe.invoiceItems.create({ customer: other, invoice, pricing: { price } }), 'invoice'],
    [stripe.invoiceItems.create({ customer, invoice: 'in_none', pricing: { price } }), 'invoice'],
  ];
  for (const [call, param] of calls) {
    expect(await refusalOf(call)).toMatchObject({ statusCode: 400, param });
  }
});

test('a credit note gives back what was paid, by a refund or elsewhere, and never more than is left', async () => {
  const { stripe, customer, price } = await newShop();
  await stripe.invoiceItems.create({ customer, pricing: { price }, quantity: 4 });
  const { id: invoice } = await stripe.invoices.create({
    customer,
    pending_invoice_items_behavior: 'include',
  });
  expect(await refusalOf(stripe.creditNotes.create({ invoice, amount: 100 }))).toMatchObject({
    statusCode: 400,
    param: 'invoice',
  });
  const paid = await stripe.invoices.pay(invoice, { expand: ['payments'] });
  const note = await stripe.creditNotes.create({
    invoice,
    lines: [
      { type: 'invoice_line_item', invoice_line_item: paid.lines.data[0]?.id ?? '', quantity: 1 },
      { type: 'custom_line_item', description: 'Apology', unit_amount: 50, quantity: 2 },
    ],
    refund_amount: 250,
    out_of_band_amount: 100,
    reason: 'product_unsatisfactory',
  });
  expect(note).toMatchObject({
    amount: 350,
    number: `${paid.number}-CN-01`,
    type: 'post_payment',
    out_of_band_amount: 100,
    refunds: [{ amount_refunded: 250 }],
  });
  const payment_intent = String(paid.payments?.data[0]?.payment.payment_intent);
  const [refund] = (await stripe.refunds.list({ payment_intent })).data;
  expect([refund?.id, refund?.amount]).toEqual([note.refunds[0]?.refund, 250]);
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
    status: 'paid',
    post_payment_credit_notes_amount: 350,
  });
  const calls: [Stripe.CreditNoteCreateParams, string][] = [
    [{ invoice, amount: 651, refund_amount: 651 }, 'amount'],
    [{ invoice, amount: 100 }, 'refund_amount'],
    [{ invoice, amount: 100, credit_amount: 100 }, 'credit_amount'],
    [{ invoice }, 'amount'],
    [{ invoice: 'in_none', amount: 1 }, 'invoice'],
    [
      { invoice, lines: [{ type: 'invoice_line_item', invoice_line_item: 'il_none' }] },
      'lines[0][invoice_line_item]',
    ],
  ];
  for (const [params, param] of calls) {
    expect(await refusalOf(stripe.creditNotes.create(params))).toMatchObject({ statusCode: 400, param });
  }
  expect((await stripe.creditNotes.list({ invoice })).data).toHaveLength(1);
  expect((await stripe.refunds.list({ payment_intent })).data).toHaveLength(1);
});

test('the lines of an invoice come in pages, ten of them with the invoice', async () => {
  const { stripe, customer, price } = await newShop();
  for (let line = 1; line <= 12; line += 1)
    await stripe.invoiceItems.create({ customer, pricing: { price }, quantity: line });
  const { id, lines } = await stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' });
  expect(lines).toMatchObject({ has_more: true, data: { length: 10 } });
  const page = async (more: Stripe.InvoiceListLineItemsParams) => {
    const { data, has_more } = await stripe.invoices.listLineItems(id, more);
    return { has_more, quantities: data.map(({ quantity }) => quantity) };
  };
  const { data } = await stripe.invoices.listLineItems(id, { limit: 100 });
  const of = (quantity: number) => data[quantity - 1]?.id;
  expect(data).toHaveLength(12);
  expect(await page({ limit: 2 })).toEqual({ has_more: true, quantities: [1, 2] });
  expect(await page({ limit: 5, starting_after: of(8) })).toEqual({
    has_more: false,
    quantities: [9, 10, 11, 12],
  });
  expect(await page({ limit: 2, ending_before: of(5) })).toEqual({ has_more: true, quantities: [3, 4] });
  expect(await refusalOf(stripe.invoices.listLineItems(id, { starting_after: 'il_0' }))).toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  });
});
