/**
 * Makes of Stripe's objects what is kept of them. Read tolerantly: a status that is not known grants nothing, and what
 * is not understood is left out. Lists inside come in the same order each time, so that nothing looks changed that is not.
 */
import type { Stripe } from 'stripe';
import { type StoredSubscription, subscriptionStatusSchema } from '#contracts/stripe';
import type { StripeClient } from '#worker/platform/stripe';

/** A customer as one answer of Stripe describes it. */
export interface ReadCustomer {
  readonly id: string;
  /** Lower-case. */
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
 * @param stripe asked again only about a customer with more subscriptions, or a subscription with more items, than an
 * answer holds
 * @throws Stripe's errors; TypeError where the object is not one
 */
export async function readCustomer(stripe: StripeClient, customer: Stripe.Customer): Promise<ReadCustomer> {
  const listed = customer.subscriptions;
  const all =
    listed === undefined || listed.has_more
      ? await listAll((page) => stripe.subscriptions.list({ customer: customer.id, ...page }))
      : listed.data;
  const subscriptions: StoredSubscription[] = [];
  for (const subscription of all) subscriptions.push(await readSubscription(stripe, subscription));
  return {
    id: textOf(customer.id),
    email: customer.email?.toLowerCase() || null,
    name: customer.name || null,
    livemode: customer.livemode,
    metadata: sorted(customer.metadata ?? {}),
    subscriptions: subscriptions.sort((one, other) => (one.id < other.id ? -1 : 1)),
    createdAt: instantOf(customer.created),
    isDeleted: false,
  };
}

/** @throws TypeError where the object is not one */
export function readProduct(product: Stripe.Product): ReadProduct {
  return {
    id: textOf(product.id),
    name: String(product.name ?? product.id),
    description: product.description || null,
    active: product.active === true,
    livemode: product.livemode,
    createdAt: instantOf(product.created),
    isDeleted: false,
  };
}

async function readSubscription(
  stripe: StripeClient,
  { id, status, items }: Stripe.Subscription,
): Promise<StoredSubscription> {
  const all = items.has_more
    ? await listAll((page) => stripe.subscriptionItems.list({ subscription: id, ...page }))
    : items.data;
  const products = new Set(all.map(({ price }) => idOf(price.product)));
  return {
    id: textOf(id),
    status: subscriptionStatusSchema.safeParse(status).data ?? 'unknown',
    productIds: [...products].sort(),
  };
}

/** All pages of a list that an answer held only the beginning of. */
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

/** A reference is an id, or where it was expanded the object itself. */
function idOf(reference: string | { readonly id: string }): string {
  return textOf(typeof reference === 'string' ? reference : reference.id);
}

function textOf(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError('An object of Stripe has no id');
}

/** @param created epoch seconds */
function instantOf(created: unknown): number {
  if (typeof created === 'number' && Number.isSafeInteger(created)) return created * 1000;
  throw new TypeError('An object of Stripe does not say when it was made');
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
