// Coupons: https://docs.stripe.com/api/coupons.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { CouponRecord, CouponTerms } from '../store/discount-records.ts';
import { changedFields } from './changed-fields.ts';
import { showCoupon } from './coupon-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';

export function createCoupon(context: Context, params: Params): Stripe.Coupon {
  const { objects } = context.emulator;
  const id = params.text('id') ?? newId('x', 8).slice(2);
  if (objects.find(context.scope, 'coupon', id)) {
    throw invalidRequest('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
  }
  params.accept('currency_options');
  const redeemBy = params.integer('redeem_by') ?? null;
  if (redeemBy !== null && redeemBy <= context.now) {
    throw invalidRequest('The redeem_by timestamp must be in the future.', { param: 'redeem_by' });
  }
  const record: CouponRecord = {
    id,
    created: context.now,
    ...readTerms(context, params),
    name: params.text('name') ?? null,
    metadata: params.metadata(),
    max_redemptions: params.integer('max_redemptions', { min: 1 }) ?? null,
    redeem_by: redeemBy,
    times_redeemed: 0,
  };
  objects.insert(context.scope, 'coupon', record);
  const shown = showCoupon(context, record);
  emitEvent(context, 'coupon.created', shown);
  return shown;
}

function readTerms(context: Context, params: Params): CouponTerms {
  const percentText = params.text('percent_off');
  const amount = params.integer('amount_off', { min: 1 });
  if ((percentText === undefined) === (amount === undefined)) {
    throw invalidRequest('Must provide percent_off or amount_off, but not both.', { param: 'percent_off' });
  }
  const currency = params.currency('currency');
  if (amount !== undefined && currency === undefined) throw parameterMissing('currency');
  const duration = params.choice('duration', ['forever', 'once', 'repeating']) ?? 'once';
  const months = params.integer('duration_in_months', { min: 1 });
  if (duration === 'repeating' && months === undefined) throw parameterMissing('duration_in_months');
  if (duration !== 'repeating' && months !== undefined) {
    throw invalidRequest('You cannot set duration_in_months if the duration is not repeating.', {
      param: 'duration_in_months',
    });
  }
  const appliesTo = params.object('applies_to');
  const products = appliesTo?.texts('products') ?? null;
  for (const [index, id] of (products ?? []).entries()) {
    getRecord(context, 'product', id, `applies_to[products][${index}]`);
  }
  return {
    amount_off: amount ?? null,
    currency: amount === undefined ? null : (currency ?? null),
    percent_off: percentText === undefined ? null : readPercent(percentText),
    duration,
    duration_in_months: months ?? null,
    products,
  };
}

function readPercent(text: string): number {
  const percent = /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) : 0;
  if (percent > 0 && percent <= 100) return percent;
  throw invalidRequest('Invalid percent_off: must be greater than 0 and less than or equal to 100.', {
    param: 'percent_off',
  });
}

/** What a coupon takes off cannot be changed. */
export function updateCoupon(context: Context, params: Params, id: string): Stripe.Coupon {
  const record = getRecord(context, 'coupon', id);
  params.accept('currency_options');
  const changed: CouponRecord = {
    ...record,
    ...omitUndefined({ name: params.text('name') }),
    metadata: params.metadata(record.metadata),
  };
  const shown = showCoupon(context, changed);
  const previous = changedFields(showCoupon(context, record), shown);
  context.emulator.objects.update(context.scope, 'coupon', changed);
  if (previous !== null) emitEvent(context, 'coupon.updated', shown, previous);
  return shown;
}

/** Discounts that were given stay. Its promotion codes can no longer be redeemed. */
export function deleteCoupon(context: Context, id: string): Stripe.DeletedCoupon {
  const record = getRecord(context, 'coupon', id);
  context.emulator.objects.remove(context.scope, 'coupon', id);
  emitEvent(context, 'coupon.deleted', showCoupon(context, record));
  return { id, object: 'coupon', deleted: true };
}

export function listCoupons(context: Context, params: Params): List<Stripe.Coupon> {
  return listPage(context, params, {
    kind: 'coupon',
    url: '/v1/coupons',
    filters: { created: readCreated(params) },
    show: (record) => showCoupon(context, record),
  });
}
