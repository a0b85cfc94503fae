// Tessera's own account, with the prices of Grow: 18 pounds a month, 100,000 API calls included, 20 pence for every 10,000
// more.
import { createAccount } from '../control/create-account.ts';
import { contextOf, type Emulator, newId } from '../core/emulator.ts';
import { addMeter, newMeterRecord } from '../resources/meters.ts';
import { addConfiguration } from '../resources/portal-configurations.ts';
import { addPrice } from '../resources/price-record.ts';
import { addProduct, newProductRecord } from '../resources/products.ts';
import type { Account } from '../store/account-store.ts';
import type { PriceRecord } from '../store/records.ts';

/** Key suffix of the platform account, as in `sk_test_emulator_tessera`. */
export const platformKeySuffix = 'tessera';

export const meterEventName = 'tessera_api_calls';

export interface BillingWebhook {
  url: string;
  /** The secret from dev/development.vars, which the Worker uses. */
  secret: string;
}

/** Creates the account if it is missing, and points its webhook to Tessera's current URL. */
export function ensurePlatformAccount(emulator: Emulator, webhook: BillingWebhook | null): void {
  const account = findByKeySuffix(emulator, platformKeySuffix) ?? createPlatform(emulator);
  if (webhook) pointWebhook(emulator, account, webhook);
}

export function findByKeySuffix(emulator: Emulator, mark: string): Account | undefined {
  const key = emulator.accounts.findKey(`sk_test_emulator_${mark}`);
  return key && emulator.accounts.find(key.accountId);
}

function createPlatform(emulator: Emulator): Account {
  const { accountId } = createAccount(emulator, {
    name: 'Tessera',
    email: 'billing@tessera.example',
    mark: platformKeySuffix,
  });
  const account = emulator.accounts.find(accountId);
  if (account === undefined) throw new Error('The platform account was not kept');
  addGrow(emulator, account, false);
  addGrow(emulator, account, true);
  return account;
}

/** The Grow product, its two prices by lookup key, and the configuration of the billing portal. */
function addGrow(emulator: Emulator, account: Account, livemode: boolean): void {
  const context = contextOf(emulator, account, livemode);
  addConfiguration(context, { metadata: { tessera: 'grow' } });
  const meter = addMeter(
    context,
    newMeterRecord(context.now, { eventName: meterEventName, displayName: 'API calls' }),
  );
  const description = 'Tessera for products that grow: 100,000 API calls a month, then 20 pence per 10,000.';
  const product = addProduct(
    context,
    newProductRecord(newId('prod'), context.now, { name: 'Tessera Grow', description }),
  );
  const usage = addProduct(
    context,
    newProductRecord(newId('prod'), context.now, { name: 'Tessera API calls', unit_label: 'call' }),
  );
  addPrice(context, monthly(context.now, product.id, 'tessera_grow_base', { unit_amount_decimal: '1800' }));
  addPrice(
    context,
    monthly(context.now, usage.id, 'tessera_grow_usage', {
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      tiers: [
        { up_to: 100_000, unit_amount_decimal: '0', flat_amount: null },
        { up_to: null, unit_amount_decimal: '0.002', flat_amount: null },
      ],
      recurring: {
        interval: 'month',
        interval_count: 1,
        meter: meter.id,
        trial_period_days: null,
        usage_type: 'metered',
      },
    }),
  );
}

export function monthly(
  created: number,
  product: string,
  lookupKey: string | null,
  fields: Partial<PriceRecord>,
): PriceRecord {
  return {
    id: newId('price', 24),
    created,
    active: true,
    billing_scheme: 'per_unit',
    currency: 'gbp',
    lookup_key: lookupKey,
    metadata: {},
    nickname: null,
    product,
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers: null,
    tiers_mode: null,
    type: 'recurring',
    unit_amount_decimal: null,
    ...fields,
  };
}

const billingEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
];

/** In both modes. Updates the endpoint of an earlier run if Tessera's URL changed. */
function pointWebhook(emulator: Emulator, account: Account, { url, secret }: BillingWebhook): void {
  for (const livemode of [false, true]) {
    const { scope, now } = contextOf(emulator, account, livemode);
    const own = emulator.objects
      .all(scope, 'webhook_endpoint')
      .find(({ metadata }) => metadata.tessera === 'billing');
    if (own) {
      emulator.objects.update(scope, 'webhook_endpoint', { ...own, url, secret });
      continue;
    }
    emulator.objects.insert(scope, 'webhook_endpoint', {
      id: newId('we', 24),
      created: now,
      api_version: null,
      description: 'Keeps organisations’ plans in step with what they pay for',
      enabled_events: billingEvents,
      metadata: { tessera: 'billing' },
      secret,
      status: 'enabled',
      url,
    });
  }
}
