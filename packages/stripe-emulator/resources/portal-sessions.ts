// Billing portal sessions: https://docs.stripe.com/api/customer_portal/sessions.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import type { PortalSessionRecord } from '../store/records.ts';
import { getCustomer } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';
import { defaultConfiguration } from './portal-configurations.ts';

export function createPortalSession(context: Context, params: Params): Stripe.BillingPortal.Session {
  const customer = getCustomer(context, params.requiredText('customer'));
  const configurationId = params.text('configuration');
  const configuration =
    configurationId === undefined
      ? defaultConfiguration(context)
      : getRecord(context, 'billing_portal.configuration', configurationId, 'configuration');
  params.accept('flow_data', 'on_behalf_of', 'customer_account', 'after_expiration');
  const record: PortalSessionRecord = {
    id: newId('bps', 24),
    created: context.now,
    configuration: configuration.id,
    customer: customer.id,
    locale: params.text('locale') ?? null,
    return_url: params.url('return_url') ?? configuration.default_return_url,
    page: newId(context.livemode ? 'live' : 'test', 40),
  };
  // The URL's last segment is the credential: anyone who has it may act for the customer.
  context.emulator.objects.insert(context.scope, 'billing_portal.session', record, { key: record.page });
  const shown = showPortalSession(context, record);
  emitEvent(context, 'billing_portal.session.created', shown);
  return shown;
}

function showPortalSession(context: Context, record: PortalSessionRecord): Stripe.BillingPortal.Session {
  const { page, ...same } = record;
  return {
    ...same,
    object: 'billing_portal.session',
    customer_account: null,
    flow: null,
    livemode: context.livemode,
    locale: record.locale as Stripe.BillingPortal.Session.Locale | null,
    on_behalf_of: null,
    url: `${context.emulator.origin()}/portal/${context.account.id}/${page}`,
  };
}
