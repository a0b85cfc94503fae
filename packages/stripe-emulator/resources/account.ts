// GET /v1/account: the account of the key.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import { foreignAccount } from '../core/stripe-error.ts';

/** An account can read itself only: the emulator has no connected accounts. */
export function retrieveAccount(context: Context, id: string): Stripe.Account {
  if (id !== context.account.id) throw foreignAccount(id);
  return showAccount(context);
}

export function showAccount({ account }: Context): Stripe.Account {
  const requirements = {
    alternatives: [],
    current_deadline: null,
    currently_due: [],
    disabled_reason: null,
    errors: [],
    eventually_due: [],
    past_due: [],
    pending_verification: [],
  };
  return {
    id: account.id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: '5734',
      minority_owned_business_designation: null,
      name: account.name,
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: account.email,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: 'company',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    controller: { type: 'account' },
    country: account.country,
    created: account.created,
    default_currency: account.currency,
    details_submitted: true,
    email: account.email,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    future_requirements: requirements,
    metadata: {},
    payouts_enabled: true,
    requirements,
    settings: {
      bacs_debit_payments: { display_name: null, service_user_number: null },
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_issuing: { tos_acceptance: { date: null, ip: null } },
      card_payments: {
        decline_on: { avs_failure: true, cvc_failure: true },
        statement_descriptor_prefix: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: account.name, timezone: 'Etc/UTC' },
      invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
      payments: {
        statement_descriptor: null,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: 'daily' },
        statement_descriptor: null,
      },
      sepa_debit_payments: {},
    },
    tos_acceptance: { date: account.created, ip: null, user_agent: null },
    type: 'standard',
  };
}
