// Stored and rendered form of a checkout session: https://docs.stripe.com/api/checkout/sessions/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { CheckoutSessionRecord } from '../store/records.ts';
import { amountDue } from './checkout-lines.ts';

export function showCheckoutSession(
  context: Context,
  record: CheckoutSessionRecord,
): Stripe.Checkout.Session {
  const { lines, subscription_description, subscription_metadata, trial_period_days, ...others } = record;
  const { customer_name, paid_email, ...same } = others;
  const amount = amountDue(context, record);
  const isOpen = record.status === 'open';
  const email = paid_email ?? record.customer_email;
  return {
    ...same,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
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
    customer_creation: record.customer === null ? 'always' : null,
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
    discounts: [],
    integration_identifier: null,
    invoice_creation: null,
    livemode: context.livemode,
    managed_payments: { enabled: false },
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
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
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: isOpen ? `${context.emulator.origin()}/checkout/${context.account.id}/${record.id}` : null,
    wallet_options: null,
  };
}

/** Due for the clock when it expires. */
export function attributesOf({ customer, status, expires_at }: CheckoutSessionRecord) {
  return { parent: customer, status, due: status === 'open' ? expires_at : null };
}
