// Promotion codes: https://docs.stripe.com/api/promotion_codes. Customers enter them in Checkout.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { PromotionCodeRecord } from '../store/discount-records.ts';
import { changedFields } from './changed-fields.ts';
import { ensureValid, promotionCodeAttributes, showPromotionCode } from './coupon-record.ts';
import { getCustomer } from './customer-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';

export function createPromotionCode(context: Context, params: Params): Stripe.PromotionCode {
  const { objects } = context.emulator;
  params.accept('customer_account');
  const promotion = params.requiredObject('promotion');
  promotion.requiredText('type');
  promotion.choice('type', ['coupon']);
  const couponName = promotion.nameOf('coupon');
  const coupon = getRecord(context, 'coupon', promotion.requiredText('coupon'), couponName);
  ensureValid(context, coupon, couponName);
  const code = params.text('code') ?? newId('x', 8).slice(2).toUpperCase();
  if (!/^[A-Za-z0-9-]+$/.test(code)) {
    throw invalidRequest('Promotion codes may contain only letters, digits and dashes.', { param: 'code' });
  }
  const customer = params.text('customer');
  const keys = [code.toUpperCase()];
  const others = objects.all(context.scope, 'promotion_code', { keys, statuses: ['active'] });
  if (others.some((other) => other.customer === null || other.customer === customer)) {
    throw invalidRequest('An active promotion code with this code already exists.', { param: 'code' });
  }
  const restrictions = params.object('restrictions');
  restrictions?.accept('currency_options');
  const record: PromotionCodeRecord = {
    id: newId('promo', 24),
    created: context.now,
    code,
    coupon: coupon.id,
    active: params.boolean('active') ?? true,
    customer: customer === undefined ? null : getCustomer(context, customer).id,
    expires_at: params.integer('expires_at') ?? null,
    max_redemptions: params.integer('max_redemptions', { min: 1 }) ?? null,
    metadata: params.metadata(),
    first_time_transaction: restrictions?.boolean('first_time_transaction') ?? false,
    minimum_amount: restrictions?.integer('minimum_amount', { min: 1 }) ?? null,
    minimum_amount_currency: restrictions?.currency('minimum_amount_currency') ?? null,
    times_redeemed: 0,
  };
  objects.insert(context.scope, 'promotion_code', record, promotionCodeAttributes(record));
  const shown = showPromotionCode(context, record);
  emitEvent(context, 'promotion_code.created', shown);
  return shown;
}

export function updatePromotionCode(context: Context, params: Params, id: string): Stripe.PromotionCode {
  const record = getRecord(context, 'promotion_code', id);
  params.accept('restrictions');
  const changed: PromotionCodeRecord = {
    ...record,
    ...omitUndefined({ active: params.boolean('active') }),
    metadata: params.metadata(record.metadata),
  };
  const shown = showPromotionCode(context, changed);
  const previous = changedFields(showPromotionCode(context, record), shown);
  context.emulator.objects.update(context.scope, 'promotion_code', changed, promotionCodeAttributes(changed));
  if (previous !== null) emitEvent(context, 'promotion_code.updated', shown, previous);
  return shown;
}

export function listPromotionCodes(context: Context, params: Params): List<Stripe.PromotionCode> {
  const active = params.boolean('active');
  const code = params.text('code');
  const customer = params.text('customer');
  params.accept('customer_account');
  return listPage(context, params, {
    kind: 'promotion_code',
    url: '/v1/promotion_codes',
    filters: {
      created: readCreated(params),
      parent: params.text('coupon'),
      keys: code === undefined ? undefined : [code.toUpperCase()],
      statuses: active === undefined ? undefined : [active ? 'active' : 'inactive'],
      fields: customer === undefined ? [] : [['$.customer', customer]],
    },
    show: (record) => showPromotionCode(context, record),
  });
}
