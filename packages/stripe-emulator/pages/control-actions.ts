// Actions of the control page's buttons. Each returns a message about what it did.
import {
  changeSubscription,
  type SubscriptionChange,
  subscriptionChanges,
} from '../control/change-subscription.ts';
import type { FaultChange } from '../control/faults.ts';
import { type Context, newId } from '../core/emulator.ts';
import { addCustomer, newCustomerRecord, saveCustomer } from '../resources/customer-record.ts';
import { deleteCustomer } from '../resources/customers.ts';
import { resendEvent } from '../resources/emit-event.ts';
import { getRecord } from '../resources/list-page.ts';
import { saveSubscription, startSubscription } from '../resources/subscription-changes.ts';
import { newSubscriptionRecord } from '../resources/subscription-record.ts';
import type { CustomerRecord, PriceRecord } from '../store/records.ts';
import { formatPrice } from './money.ts';

export interface Act {
  context: Context;
  form: URLSearchParams;
}

export interface Done {
  said: string;
  /** Where to go instead of back to the page. */
  location?: string;
  /** The customer to show next; default: the current one. */
  customer?: string | null;
}

const day = 86_400;

const actions = new Map<string, (act: Act) => Done>([
  ['create-customer', createCustomer],
  ['change-customer', changeCustomer],
  ['delete-customer', removeCustomer],
  ['subscribe', subscribe],
  ['change-plan', changePlan],
  ['add-product', addProduct],
  ['change-subscription', changeOne],
  ['resend', resend],
  ['set-faults', setFaults],
  ['clear-faults', clearFaults],
]);

/** @returns null if there is no such action */
export function carryOutAction(name: string, act: Act): Done | null {
  return actions.get(name)?.(act) ?? null;
}

function createCustomer({ context, form }: Act): Done {
  const email = textOf(form, 'email');
  const name = textOf(form, 'name');
  const record = newCustomerRecord(newId('cus'), context.now, { email, name });
  addCustomer(context, record);
  const price = textOf(form, 'price');
  if (price) start(context, record.id, price, 1, 0);
  return { said: `${nameOf(record)} is a customer now.`, customer: record.id };
}

function changeCustomer({ context, form }: Act): Done {
  const record = getRecord(context, 'customer', form.get('customer') ?? '');
  const changed = { ...record, email: textOf(form, 'email'), name: textOf(form, 'name') };
  saveCustomer(context, changed);
  return { said: `${nameOf(changed)} is saved.` };
}

function removeCustomer({ context, form }: Act): Done {
  const record = getRecord(context, 'customer', form.get('customer') ?? '');
  deleteCustomer(context, record.id);
  return { said: `${nameOf(record)} is deleted, and so is every subscription.`, customer: null };
}

function subscribe({ context, form }: Act): Done {
  const customer = getRecord(context, 'customer', form.get('customer') ?? '');
  const trialDays = Math.max(0, Math.trunc(Number(form.get('trial') ?? 0)) || 0);
  const product = start(context, customer.id, form.get('price') ?? '', quantityOf(form), trialDays);
  return { said: `${nameOf(customer)} subscribes to ${product}.` };
}

function start(
  context: Context,
  customer: string,
  priceId: string,
  quantity: number,
  trialDays: number,
): string {
  const price = getRecord(context, 'price', priceId);
  const trialEndsAt = trialDays > 0 ? context.now + trialDays * day : null;
  const items = [{ price, quantity }];
  startSubscription(context, newSubscriptionRecord({ customer, items, startedAt: context.now, trialEndsAt }));
  return getRecord(context, 'product', price.product).name;
}

function changePlan({ context, form }: Act): Done {
  const record = getRecord(context, 'subscription', form.get('subscription') ?? '');
  const price = getRecord(context, 'price', form.get('price') ?? '');
  const items = record.items.map((item) => {
    if (item.id !== form.get('item')) return item;
    const { quantity, ...kept } = item;
    const changed = { ...kept, price: price.id };
    return isMetered(price) ? changed : { ...changed, quantity: quantityOf(form, quantity) };
  });
  saveSubscription(context, { ...record, items });
  const { name } = getRecord(context, 'product', price.product);
  return { said: `The subscription is now ${name}, ${formatPrice(price)}.` };
}

function addProduct({ context, form }: Act): Done {
  const record = getRecord(context, 'subscription', form.get('subscription') ?? '');
  const price = getRecord(context, 'price', form.get('price') ?? '');
  const { name } = getRecord(context, 'product', price.product);
  if (record.items.some((item) => item.price === price.id))
    return { said: `The subscription has ${name}, ${formatPrice(price)}, already.` };
  const item = { id: newId('si'), created: context.now, metadata: {}, price: price.id };
  const added = isMetered(price) ? item : { ...item, quantity: quantityOf(form) };
  saveSubscription(context, { ...record, items: [...record.items, added] });
  return { said: `The subscription has ${name}, ${formatPrice(price)}, as well.` };
}

function isMetered({ recurring }: PriceRecord): boolean {
  return recurring?.usage_type === 'metered';
}

/** @param current without one in the form */
function quantityOf(form: URLSearchParams, current = 1): number {
  const quantity = Number(form.get('quantity') ?? current);
  return Number.isSafeInteger(quantity) && quantity >= 0 ? quantity : current;
}

const changeWords: Record<SubscriptionChange, string> = {
  'fail-payment': 'The payment failed: the subscription is past due.',
  pay: 'The open invoice is paid.',
  cancel: 'The subscription is cancelled.',
  'cancel-at-period-end': 'The subscription ends when its period ends.',
  resume: 'The subscription continues.',
  'end-period': 'The period is over.',
  pause: 'The subscription is paused.',
  'mark-unpaid': 'The subscription is unpaid.',
};

function changeOne({ context, form }: Act): Done {
  const change = subscriptionChanges.find((each) => each === form.get('change'));
  if (change === undefined) return { said: 'There is no such change.' };
  changeSubscription(context, form.get('subscription') ?? '', change);
  return { said: changeWords[change] };
}

function resend({ context, form }: Act): Done {
  const count = resendEvent(context, getRecord(context, 'event', form.get('event') ?? ''));
  return { said: count === 0 ? 'No endpoint is subscribed to this event.' : 'The event is sent again.' };
}

function setFaults({ context, form }: Act): Done {
  const number = (name: string) => Math.max(0, Math.trunc(Number(form.get(name) ?? 0)) || 0);
  const change: FaultChange = {
    refuseNext: number('refuseNext'),
    requestsPerSecond: number('requestsPerSecond') || null,
    failNext: number('failNext'),
    slowByMs: number('slowByMs'),
    isDown: form.get('isDown') === 'on',
    webhooks: {
      delayMs: number('delayMs'),
      dropNext: number('dropNext'),
      duplicateNext: number('duplicateNext'),
      reverseNext: number('reverseNext'),
    },
  };
  context.emulator.faults.change(context.account.id, change);
  return { said: 'The faults are set.' };
}

function clearFaults({ context }: Act): Done {
  context.emulator.faults.clear(context.account.id);
  return { said: 'Everything works as it should.' };
}

function textOf(form: URLSearchParams, name: string): string | null {
  return form.get(name)?.trim() || null;
}

export function nameOf({ name, email, id }: CustomerRecord): string {
  return name ?? email ?? id;
}
