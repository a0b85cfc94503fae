/**
 * Maps Stripe's objects to what is stored. Tolerant: an unknown status grants nothing, unknown fields are ignored.
 * Nested lists are sorted, so equal objects have equal JSON.
 */
import type { Stripe } from 'stripe';
import { type StoredSubscription, subscriptionStatusSchema } from '#contracts/console/stripe';
import { showsSomething } from '#contracts/public/characters';
import { canonicalOf } from '#contracts/public/identifiers';
import type { StripeClient } from '#worker/platform/stripe';

/** A customer as of one response of Stripe. */
export interface ReadCustomer {
  readonly id: string;
  /** Canonical, as identifiers are compared. As Stripe has it if it cannot be one: it is shown, and is no alias. */
  readonly email: string | null;
  readonly name: string | null;
  readonly livemode: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly subscriptions: readonly StoredSubscription[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly isDeleted: boolean;
}

export interface ReadProduct {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly active: boolean;
  readonly livemode: boolean;
  readonly createdAt: number;
  readonly isDeleted: boolean;
}

const PAGE = 100;

/**
 * @param stripe called only if the customer's subscriptions or a subscription's items have further pages
 * @throws Stripe's errors; TypeError if the object is malformed
 */
export async function readCustomer(stripe: StripeClient, customer: Stripe.Customer): Promise<ReadCustomer> {
  const listed = customer.subscriptions;
  const all =
    listed === undefined || listed.has_more
      ? await listAll((page) => stripe.subscriptions.list({ customer: customer.id, ...page }))
      : listed.data;
  const hasMethod = Boolean(customer.invoice_settings?.default_payment_method || customer.default_source);
  const subscriptions: StoredSubscription[] = [];
  for (const subscription of all) subscriptions.push(await readSubscription(stripe, subscription, hasMethod));
  return {
    id: textOf(customer.id),
    email: customer.email ? canonicalOf(customer.email) : null,
    name: shownName(customer.name),
    livemode: customer.livemode,
    metadata: sorted(customer.metadata ?? {}),
    subscriptions: subscriptions.sort((one, other) => (one.id < other.id ? -1 : 1)),
    createdAt: instantOf(customer.created),
    isDeleted: false,
  };
}

/** @throws TypeError if the object is malformed */
export function readProduct(product: Stripe.Product): ReadProduct {
  return {
    id: textOf(product.id),
    name: shownName(product.name) ?? textOf(product.id),
    description: product.description || null,
    active: product.active === true,
    livemode: product.livemode,
    createdAt: instantOf(product.created),
    isDeleted: false,
  };
}

/** Stripe accepts any text. A name that shows nothing is none. */
function shownName(name: unknown): string | null {
  return typeof name === 'string' && showsSomething(name) ? name : null;
}

/** @param hasMethod whether the customer has a payment method that its subscriptions are charged by */
async function readSubscription(
  stripe: StripeClient,
  {
    id,
    status,
    items,
    cancel_at: cancelAt,
    trial_start: trialStart,
    trial_end: trialEnd,
    billing_cycle_anchor: anchor,
    pause_collection: pause,
    default_payment_method: method,
    default_source: source,
    collection_method: collection,
  }: Stripe.Subscription,
  hasMethod: boolean,
): Promise<StoredSubscription> {
  const all = items.has_more
    ? await listAll((page) => stripe.subscriptionItems.list({ subscription: id, ...page }))
    : items.data;
  const isCharged = status === 'trialing' && collection !== 'send_invoice';
  const lacksMethod = isCharged && !hasMethod && !method && !source;
  const anchorAt = earliestOf([anchor]);
  const trialStartAt = status === 'trialing' ? earliestOf([trialStart]) : null;
  const read = all.map(readItem).sort((one, other) => (keyOfItem(one) < keyOfItem(other) ? -1 : 1));
  return {
    id: textOf(id),
    status: subscriptionStatusSchema.safeParse(status).data ?? 'unknown',
    productIds: [...new Set(read.map(({ productId }) => productId))].sort(),
    items: read,
    pauseCollection: pause
      ? { behavior: String(pause.behavior), resumesAt: earliestOf([pause.resumes_at]) }
      : null,
    currentPeriodEndAt: earliestOf(all.map(({ current_period_end: end }) => end)),
    cancelAt: earliestOf([cancelAt]),
    trialEndAt: earliestOf([trialEnd]),
    ...(anchorAt === null ? {} : { anchorAt }),
    // Only where they can matter: stored rows of other customers stay equal to what is read.
    ...(trialStartAt === null ? {} : { trialStartAt }),
    ...(lacksMethod ? { lacksPaymentMethod: true } : {}),
  };
}

type StoredItem = NonNullable<StoredSubscription['items']>[number];

function readItem({
  price,
  quantity,
  current_period_start: start,
  current_period_end: end,
}: Stripe.SubscriptionItem): StoredItem {
  return {
    productId: idOf(price.product),
    priceId: textOf(price.id),
    quantity: Number.isSafeInteger(quantity) ? (quantity ?? null) : null,
    periodStartAt: earliestOf([start]),
    periodEndAt: earliestOf([end]),
  };
}

const keyOfItem = ({ productId, priceId }: StoredItem) => `${productId} ${priceId}`;

/** All pages of a list. */
async function listAll<T extends { readonly id: string }>(
  list: (page: { limit: number; starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await list({ limit: PAGE, ...(last === undefined ? {} : { starting_after: last.id }) });
    all.push(...page.data);
    if (!page.has_more || page.data.length === 0) return all;
  }
}

/** A reference is an id or, if expanded, the object. */
function idOf(reference: string | { readonly id: string }): string {
  return textOf(typeof reference === 'string' ? reference : reference.id);
}

function textOf(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError('A Stripe object has no id');
}

/** @param instants epoch seconds; anything else counts as none. @returns epoch milliseconds */
function earliestOf(instants: readonly unknown[]): number | null {
  const known = instants.filter((each): each is number => Number.isSafeInteger(each));
  return known.length === 0 ? null : Math.min(...known) * 1000;
}

/** @param created epoch seconds */
function instantOf(created: unknown): number {
  if (typeof created === 'number' && Number.isSafeInteger(created)) return created * 1000;
  throw new TypeError('A Stripe object has no creation time');
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
