// Bulk-creates customers: 100,000 take a few seconds. Emits no events by default.

import { type Context, newId } from '../core/emulator.ts';
import { addCustomer, attributesOf, newCustomerRecord } from '../resources/customer-record.ts';
import { getRecord } from '../resources/list-page.ts';
import { startSubscription } from '../resources/subscription-changes.ts';
import {
  newSubscriptionRecord,
  attributesOf as subscriptionAttributes,
} from '../resources/subscription-record.ts';
import { personNames } from './people.ts';

export interface SeedRequest {
  count: number;
  /** Customers subscribe to these prices round-robin. */
  prices?: string[];
  /** Every nth customer subscribes; default 1. */
  subscribeEvery?: number;
  /** Email prefix: `<emailPrefix>1@customers.example`; by default, emails derive from names. */
  emailPrefix?: string;
  /** Range of creation times in Unix seconds, evenly distributed; default: the last ninety days. */
  createdFrom?: number;
  createdTo?: number;
  /** Whether to emit events, and so deliveries, for every customer and subscription. */
  withEvents?: boolean;
}

export interface Seeded {
  customers: number;
  subscriptions: number;
  firstId: string | null;
  lastId: string | null;
}

const ninetyDays = 90 * 86_400;

export function seedCustomers(context: Context, request: SeedRequest): Seeded {
  const { count, prices = [], subscribeEvery = 1, emailPrefix, withEvents = false } = request;
  const { objects } = context.emulator;
  const from = request.createdFrom ?? context.now - ninetyDays;
  const to = request.createdTo ?? context.now - 1;
  const priceRecords = prices.map((id) => getRecord(context, 'price', id, 'prices'));
  const seeded: Seeded = { customers: 0, subscriptions: 0, firstId: null, lastId: null };
  for (let index = 0; index < count; index += 1) {
    const created = Math.floor(from + ((to - from) * index) / Math.max(1, count));
    const { name, email } = personNames(index);
    const customer = newCustomerRecord(newId('cus'), created, {
      name,
      email: emailPrefix === undefined ? email : `${emailPrefix}${index + 1}@customers.example`,
    });
    if (withEvents) addCustomer(context, customer);
    else objects.insert(context.scope, 'customer', customer, attributesOf(customer));
    seeded.customers += 1;
    seeded.firstId ??= customer.id;
    seeded.lastId = customer.id;
    const price = priceRecords[seeded.subscriptions % Math.max(1, priceRecords.length)];
    if (price === undefined || index % subscribeEvery !== 0) continue;
    const start = { customer: customer.id, items: [{ price }], startedAt: created, trialEndsAt: null };
    // Starts in the current period, so that the clock has no renewals to process.
    const period = { current_period_start: context.now, current_period_end: context.now + 30 * 86_400 };
    const subscription = newSubscriptionRecord(start, period);
    if (withEvents) startSubscription(context, subscription);
    else objects.insert(context.scope, 'subscription', subscription, subscriptionAttributes(subscription));
    seeded.subscriptions += 1;
  }
  return seeded;
}
