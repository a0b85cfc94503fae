// Stored and rendered form of a checkout session: https://docs.stripe.com/api/checkout/sessions/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { CheckoutSessionRecord } from '../store/records.ts';
import { amountsOf } from './checkout-lines.ts';

export function showCheckoutSession(
  context: Context,
  record: CheckoutSessionRecord,
): Stripe.Checkout.Session {
  const { lines, subscription_description, subscription_metadata, trial_period_days, ...others } = record;
  const { createsInvoice, customer_name, discounts = [], paid_email, payment, ...same } = others;
  const { subtotal, discount, total } = amountsOf(context, record);
  const isPayment = record.mode === 'payment';
  const creation = isPayment ? (record.customer_creation ?? 'if_required') : 'always';
  const isOpen = record.status === 'open';
  const email = paid_email ?? record.customer_email;
  return {
    ...same,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allowed_payment_method_types: record.allowed_payment_method_types ?? null,
    amount_subtotal: subtotal,
    amount_total: total,
    automatic_tax: record.automatic_tax
      ? {
          enabled: true,
          liability: { type: 'self' },
          provider: 'stripe',
          status: isOpen ? 'requires_location_inputs' : 'complete',
        }
      : { enabled: false, liability: null, provider: null, status: null },
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: record.customer === null || !isOpen ? creation : null,
    customer_details:
      email === null
        ? null
        : {
            address: null,
            business_name: null,
            email,
            individual_name: null,
            name: customer_name,
            phone: null,
            tax_exempt: 'none',
            tax_ids: [],
          },
    discounts: discounts.map(({ coupon, promotion_code }) =>
      promotion_code === null ? { coupon, promotion_code } : { coupon: null, promotion_code },
    ),
    integration_identifier: null,
    invoice_creation: isPayment ? invoiceCreation(createsInvoice ?? false) : null,
    livemode: context.livemode,
    managed_payments: { enabled: false },
    origin_context: null,
    payment_intent: record.payment_intent ?? null,
    payment_link: null,
    payment_method_collection: record.payment_method_collection ?? (isPayment ? 'if_required' : 'always'),
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: record.payment_method_types ?? ['card'],
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    submit_type: null,
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: isOpen ? `${context.emulator.origin()}/checkout/${context.account.id}/${record.id}` : null,
    wallet_options: null,
  };
}

function invoiceCreation(enabled: boolean): Stripe.Checkout.Session.InvoiceCreation {
  return {
    enabled,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: null,
      metadata: {},
      rendering_options: null,
    },
  };
}

export function saveSession(context: Context, changed: CheckoutSessionRecord): CheckoutSessionRecord {
  context.emulator.objects.update(context.scope, 'checkout.session', changed, attributesOf(changed));
  return changed;
}

/** Due for the clock when it expires. */
export function attributesOf({ customer, status, expires_at }: CheckoutSessionRecord) {
  return { parent: customer, status, due: status === 'open' ? expires_at : null };
}
