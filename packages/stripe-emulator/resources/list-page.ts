// Stripe's list response and its paging parameters.
import { type Context, scopeOf } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { resourceMissing } from '../core/stripe-error.ts';
import type { CreatedRange, PageQuery } from '../store/object-store.ts';
import type { Kind, Records } from '../store/records.ts';

export interface List<Item> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: Item[];
}

/** Stripe's name for each kind in `No such customer: 'cus_…'`. */
const kindNames: Partial<Record<Kind, string>> = {
  'billing_portal.configuration': 'configuration',
  'billing.meter': 'meter',
  webhook_endpoint: 'webhook endpoint',
  'test_helpers.test_clock': 'test clock',
  payment_method: 'PaymentMethod',
  promotion_code: 'promotion code',
  credit_note: 'credit note',
  subscription_schedule: 'subscription schedule',
  'v2.core.event': 'event',
};

export function nameOfKind(kind: Kind): string {
  return kindNames[kind] ?? kind;
}

/** @throws {StripeError} 404 `resource_missing`; 400 if `param` names a parameter */
export function getRecord<K extends Kind>(context: Context, kind: K, id: string, param = 'id'): Records[K] {
  const record = context.emulator.objects.find(context.scope, kind, id);
  if (record !== undefined) return record;
  const { emulator, account, livemode } = context;
  const isElsewhere = emulator.objects.find(scopeOf(account.id, !livemode), kind, id) !== undefined;
  const elsewhere = isElsewhere ? (livemode ? 'test' : 'live') : null;
  throw resourceMissing(nameOfKind(kind), id, param, elsewhere);
}

/** Renders the object of an id. @throws {StripeError} as getRecord */
export function retrieving<K extends Kind>(kind: K, show: (context: Context, record: Records[K]) => object) {
  return (context: Context, id: string): object => show(context, getRecord(context, kind, id));
}

type Filters = Omit<PageQuery, 'limit' | 'startingAfter' | 'endingBefore'>;

/** Reads `limit` (1 to 100, default 10), `starting_after` and `ending_before`, and renders the page. */
export function listPage<K extends Kind, Shown>(
  context: Context,
  params: Params,
  { kind, url, filters = {}, show }: ListOptions<K, Shown>,
): List<Shown> {
  const startingAfter = params.text('starting_after');
  const endingBefore = params.text('ending_before');
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 10;
  const page = context.emulator.objects.page(context.scope, kind, {
    ...filters,
    limit,
    startingAfter,
    endingBefore,
  });
  if (page === null) {
    const param = endingBefore === undefined ? 'starting_after' : 'ending_before';
    throw resourceMissing(nameOfKind(kind), endingBefore ?? startingAfter ?? '', param);
  }
  return { object: 'list', url, has_more: page.hasMore, data: page.items.map((item) => show(item)) };
}

interface ListOptions<K extends Kind, Shown> {
  kind: K;
  url: string;
  filters?: Filters;
  show: (record: Records[K]) => Shown;
}

/** Reads `created`: one instant, or a range of `gt`, `gte`, `lt`, `lte`. */
export function readCreated(params: Params): CreatedRange | undefined {
  if (!params.has('created')) return undefined;
  if (params.isText('created')) {
    const at = params.integer('created');
    return { gte: at, lte: at };
  }
  const range = params.object('created');
  return {
    gt: range?.integer('gt'),
    gte: range?.integer('gte'),
    lt: range?.integer('lt'),
    lte: range?.integer('lte'),
  };
}

/** A list inside another object, with the first ten items. */
export function innerList<Item>(url: string, items: readonly Item[]): List<Item> {
  return { object: 'list', data: items.slice(0, 10), has_more: items.length > 10, url };
}

/**
 * A page of a list that is not stored as such. Reads `limit` (1 to 100, default 10), `starting_after` and `ending_before`.
 * @throws {StripeError} 404 `resource_missing`
 */
export function pageOf<Item extends { id: string }>(
  params: Params,
  { url, name, items }: { url: string; name: string; items: readonly Item[] },
): List<Item> {
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 10;
  const indexOf = (param: 'starting_after' | 'ending_before', none: number) => {
    const id = params.text(param);
    if (id === undefined) return none;
    const index = items.findIndex((item) => item.id === id);
    if (index === -1) throw resourceMissing(name, id, param);
    return index;
  };
  const first = indexOf('starting_after', -1) + 1;
  const end = indexOf('ending_before', items.length);
  const isBackwards = params.has('ending_before');
  const data = isBackwards
    ? items.slice(Math.max(first, end - limit), end)
    : items.slice(first, first + limit);
  const has_more = isBackwards ? end - limit > first : first + limit < items.length;
  return { object: 'list', url, has_more, data };
}
