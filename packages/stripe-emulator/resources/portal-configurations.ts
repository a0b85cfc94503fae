// Billing portal configurations: https://docs.stripe.com/api/customer_portal/configurations. Every account has a default, so
// that it can create portal sessions without set-up.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import type { PortalConfigurationRecord } from '../store/records.ts';
import { getRecord, type List, listPage } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';

type Features = Stripe.BillingPortal.Configuration.Features;

const modes = ['at_period_end', 'immediately'] as const;

export function showConfiguration(
  context: Context,
  record: PortalConfigurationRecord,
): Stripe.BillingPortal.Configuration {
  return {
    ...record,
    object: 'billing_portal.configuration',
    application: null,
    livemode: context.livemode,
    login_page: { enabled: false, url: null },
  };
}

/** The account's default configuration, created on first use. */
export function defaultConfiguration(context: Context): PortalConfigurationRecord {
  const { objects } = context.emulator;
  const found = objects.all(context.scope, 'billing_portal.configuration').find((each) => each.is_default);
  if (found) return found;
  return addConfiguration(context, { is_default: true });
}

export function createConfiguration(context: Context, params: Params): Stripe.BillingPortal.Configuration {
  const base = newConfiguration(context, { metadata: params.metadata() });
  return showConfiguration(context, addConfiguration(context, { ...base, ...readFields(params, base) }));
}

export function addConfiguration(
  context: Context,
  fields: Partial<PortalConfigurationRecord>,
): PortalConfigurationRecord {
  const record = newConfiguration(context, fields);
  context.emulator.objects.insert(context.scope, 'billing_portal.configuration', record);
  return record;
}

export function updateConfiguration(
  context: Context,
  params: Params,
  id: string,
): Stripe.BillingPortal.Configuration {
  const record = getRecord(context, 'billing_portal.configuration', id);
  const changed: PortalConfigurationRecord = {
    ...record,
    ...readFields(params, record),
    active: params.boolean('active') ?? record.active,
    metadata: params.metadata(record.metadata),
    updated: context.now,
  };
  context.emulator.objects.update(context.scope, 'billing_portal.configuration', changed);
  return showConfiguration(context, changed);
}

export function listConfigurations(
  context: Context,
  params: Params,
): List<Stripe.BillingPortal.Configuration> {
  defaultConfiguration(context);
  params.accept('active', 'is_default');
  return listPage(context, params, {
    kind: 'billing_portal.configuration',
    url: '/v1/billing_portal/configurations',
    show: (record) => showConfiguration(context, record),
  });
}

function newConfiguration(
  context: Context,
  fields: Partial<PortalConfigurationRecord>,
): PortalConfigurationRecord {
  return {
    id: newId('bpc', 24),
    created: context.now,
    active: true,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    default_return_url: null,
    features: defaultFeatures,
    is_default: false,
    metadata: {},
    name: null,
    updated: context.now,
    ...fields,
  };
}

const defaultFeatures: Features = {
  customer_update: { allowed_updates: ['email', 'tax_id'], enabled: true },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: [], options: [] },
    enabled: true,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: {
    duration: { interval_options: [{ interval: 'month', interval_count: 1 }], type: 'interval_options' },
    enabled: false,
  },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
};

function readFields(params: Params, record: PortalConfigurationRecord): Partial<PortalConfigurationRecord> {
  const profile = params.object('business_profile');
  const features = params.object('features');
  features?.accept(
    'customer_update',
    'invoice_history',
    'payment_method_update',
    'subscription_update',
    'subscription_pause',
  );
  const cancel = features?.object('subscription_cancel');
  cancel?.accept('cancellation_reason', 'proration_behavior');
  params.accept('login_page');
  return omitUndefined({
    default_return_url: params.emptyable('default_return_url'),
    name: params.emptyable('name'),
    business_profile: profile && {
      headline: profile.emptyable('headline') ?? null,
      privacy_policy_url: profile.text('privacy_policy_url') ?? null,
      terms_of_service_url: profile.text('terms_of_service_url') ?? null,
    },
    features: cancel && {
      ...record.features,
      subscription_cancel: {
        ...record.features.subscription_cancel,
        enabled: cancel.boolean('enabled') ?? record.features.subscription_cancel.enabled,
        mode: cancel.choice('mode', modes) ?? record.features.subscription_cancel.mode,
      },
    },
  });
}
