// Stored and rendered form of a price, and its creation: https://docs.stripe.com/api/prices/object.
import Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { PriceRecord, TierRecord } from '../store/records.ts';
import { changedFields } from './changed-fields.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

/** @param withTiers Stripe returns a price's tiers only with `expand` */
export function showPrice(context: Context, record: PriceRecord, withTiers = false): Stripe.Price {
  const { tiers, unit_amount_decimal: amount, ...same } = record;
  return {
    ...same,
    object: 'price',
    custom_unit_amount: null,
    livemode: context.livemode,
    transform_quantity: null,
    unit_amount: wholeAmount(amount),
    unit_amount_decimal: decimal(amount),
    ...(withTiers && tiers ? { tiers: tiers.map(showTier) } : {}),
  };
}

function showTier(tier: TierRecord): Stripe.Price.Tier {
  return {
    flat_amount: tier.flat_amount,
    flat_amount_decimal: decimal(tier.flat_amount === null ? null : String(tier.flat_amount)),
    unit_amount: wholeAmount(tier.unit_amount_decimal),
    unit_amount_decimal: decimal(tier.unit_amount_decimal),
    up_to: tier.up_to,
  };
}

/** The price in the legacy `plan` form, which subscription items still contain. */
export function showPlan(context: Context, record: PriceRecord): Stripe.Plan {
  return {
    id: record.id,
    object: 'plan',
    active: record.active,
    amount: wholeAmount(record.unit_amount_decimal),
    amount_decimal: decimal(record.unit_amount_decimal),
    billing_scheme: record.billing_scheme,
    created: record.created,
    currency: record.currency,
    interval: record.recurring?.interval ?? 'month',
    interval_count: record.recurring?.interval_count ?? 1,
    livemode: context.livemode,
    metadata: record.metadata,
    meter: record.recurring?.meter ?? null,
    nickname: record.nickname,
    product: record.product,
    tiers_mode: record.tiers_mode,
    transform_usage: null,
    trial_period_days: null,
    usage_type: record.recurring?.usage_type ?? 'licensed',
  };
}

/** Reads a price's parameters; also `price_data` and `default_price_data` of other calls. */
export function readPrice(context: Context, params: Params, product: string): PriceRecord {
  const currency = params.currency('currency');
  if (currency === undefined) throw parameterMissing(params.nameOf('currency'));
  const billingScheme = params.choice('billing_scheme', ['per_unit', 'tiered']) ?? 'per_unit';
  const amount = params.text('unit_amount_decimal') ?? wholeText(params.integer('unit_amount', { min: 0 }));
  if (billingScheme === 'per_unit' && amount === null) throw parameterMissing(params.nameOf('unit_amount'));
  const tiers = billingScheme === 'tiered' ? readTiers(params) : null;
  params.accept('custom_unit_amount', 'transform_quantity', 'currency_options');
  const recurring = readRecurring(context, params);
  return {
    id: newId('price', 24),
    created: context.now,
    active: params.boolean('active') ?? true,
    billing_scheme: billingScheme,
    currency,
    lookup_key: params.text('lookup_key') ?? null,
    metadata: params.metadata(),
    nickname: params.text('nickname') ?? null,
    product,
    recurring,
    tax_behavior: params.choice('tax_behavior', ['inclusive', 'exclusive', 'unspecified']) ?? 'unspecified',
    tiers,
    tiers_mode: tiers === null ? null : (params.choice('tiers_mode', ['graduated', 'volume']) ?? 'graduated'),
    type: recurring === null ? 'one_time' : 'recurring',
    unit_amount_decimal: billingScheme === 'per_unit' ? amount : null,
  };
}

/** @throws {StripeError} if another price has the lookup key and `isTransferred` is false */
export function addPrice(context: Context, record: PriceRecord, isTransferred = false): Stripe.Price {
  claimLookupKey(context, record, isTransferred);
  context.emulator.objects.insert(context.scope, 'price', record, attributesOf(record));
  const shown = showPrice(context, record);
  emitEvent(context, 'price.created', shown);
  return shown;
}

/** Saves a price and emits an event if it changed. */
export function savePrice(context: Context, changed: PriceRecord, isTransferred = false): Stripe.Price {
  claimLookupKey(context, changed, isTransferred);
  const before = showPrice(context, getRecord(context, 'price', changed.id));
  const shown = showPrice(context, changed);
  const previous = changedFields(before, shown);
  context.emulator.objects.update(context.scope, 'price', changed, attributesOf(changed));
  if (previous !== null) emitEvent(context, 'price.updated', shown, previous);
  return shown;
}

function claimLookupKey(
  context: Context,
  { id, lookup_key: key }: PriceRecord,
  isTransferred: boolean,
): void {
  if (key === null) return;
  const { objects } = context.emulator;
  for (const holder of objects.all(context.scope, 'price', { keys: [key] })) {
    if (holder.id === id) continue;
    if (!isTransferred) {
      throw invalidRequest(
        `A price (\`${holder.id}\`) already uses that lookup key. Please use \`transfer_lookup_key=true\` to transfer it.`,
        { param: 'lookup_key' },
      );
    }
    savePrice(context, { ...holder, lookup_key: null });
  }
}

export function attributesOf({ product, lookup_key, active }: PriceRecord) {
  return { parent: product, key: lookup_key, status: active ? 'active' : 'inactive' };
}

function readTiers(params: Params): TierRecord[] {
  const tiers = params.objects('tiers');
  if (tiers === undefined || tiers.length === 0) throw parameterMissing(params.nameOf('tiers'));
  return tiers.map((tier) => {
    const upTo = tier.requiredText('up_to');
    return {
      flat_amount: tier.integer('flat_amount', { min: 0 }) ?? null,
      unit_amount_decimal:
        tier.text('unit_amount_decimal') ?? wholeText(tier.integer('unit_amount', { min: 0 })),
      up_to: upTo === 'inf' ? null : Number(upTo),
    };
  });
}

function readRecurring(context: Context, params: Params): Stripe.Price.Recurring | null {
  const recurring = params.object('recurring');
  if (recurring === undefined) return null;
  recurring.accept('trial_period_days', 'aggregate_usage');
  const meter = recurring.text('meter') ?? null;
  if (meter !== null) getRecord(context, 'billing.meter', meter, recurring.nameOf('meter'));
  const interval = recurring.choice('interval', ['day', 'week', 'month', 'year']);
  if (interval === undefined) throw parameterMissing(recurring.nameOf('interval'));
  return {
    interval,
    interval_count: recurring.integer('interval_count', { min: 1 }) ?? 1,
    meter,
    trial_period_days: null,
    usage_type: recurring.choice('usage_type', ['licensed', 'metered']) ?? 'licensed',
  };
}

/** Null unless the amount is an integer number of minor units. */
function wholeAmount(amount: string | null): number | null {
  return amount !== null && /^\d+$/.test(amount) ? Number(amount) : null;
}

function wholeText(amount: number | undefined): string | null {
  return amount === undefined ? null : String(amount);
}

function decimal(amount: string | null): Stripe.Decimal | null {
  return amount === null ? null : Stripe.Decimal.from(amount);
}
