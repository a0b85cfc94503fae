/**
 * What of an object of Stripe's is recorded with its event, for people to see: who and what it is about and how it
 * stands. Nothing of payment methods, addresses or anything that could be used; metadata only in part where there is much.
 */
const FIELDS = [
  'id',
  'object',
  'created',
  'livemode',
  'deleted',
  'customer',
  'email',
  'name',
  'description',
  'active',
  'status',
  'cancel_at',
  'cancel_at_period_end',
  'canceled_at',
  'ended_at',
  'trial_end',
] as const;
const MAX_TEXT = 500;
const MAX_METADATA = 10;
const MAX_ITEMS = 20;

export function describeObject(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const described: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const value = object[field];
    if (typeof value === 'string') described[field] = value.slice(0, MAX_TEXT);
    else if (typeof value === 'number' || typeof value === 'boolean') described[field] = value;
  }
  const { metadata, items } = object;
  if (isRecord(metadata)) {
    const some = Object.entries(metadata).slice(0, MAX_METADATA);
    described.metadata = Object.fromEntries(
      some.map(([key, value]) => [key, String(value).slice(0, MAX_TEXT)]),
    );
  }
  if (isRecord(items) && Array.isArray(items.data)) {
    described.items = items.data.slice(0, MAX_ITEMS).flatMap((item: unknown) => {
      if (!isRecord(item) || !isRecord(item.price)) return [];
      const { id, product } = item.price;
      return [{ price: id, product: isRecord(product) ? product.id : product, quantity: item.quantity }];
    });
  }
  return described;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
