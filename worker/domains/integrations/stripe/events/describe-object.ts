/**
 * Extracts the part of a Stripe object that is recorded with its event and shown in the console: identity and status.
 * Payment methods and addresses are excluded, long metadata is truncated.
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
/** Characters. The whole object stays below the queue's message limit, whatever the characters are. */
const MAX_TEXT = 500;
const MAX_METADATA = 10;
const MAX_KEY = 40;
const MAX_ITEMS = 20;
const MAX_ITEM_ID = 100;

export function describeObject(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const described: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const value = plain(object[field], MAX_TEXT);
    if (value !== undefined) described[field] = value;
  }
  const { metadata, items } = object;
  if (isRecord(metadata)) {
    const some = Object.entries(metadata).slice(0, MAX_METADATA);
    described.metadata = Object.fromEntries(
      some.map(([key, value]) => [cut(key, MAX_KEY), cut(String(value), MAX_TEXT)]),
    );
  }
  if (isRecord(items) && Array.isArray(items.data)) {
    described.items = items.data.slice(0, MAX_ITEMS).flatMap((item: unknown) => {
      if (!isRecord(item) || !isRecord(item.price)) return [];
      const { id, product } = item.price;
      return [
        {
          price: plain(id, MAX_ITEM_ID),
          product: plain(isRecord(product) ? product.id : product, MAX_ITEM_ID),
          quantity: plain(item.quantity, MAX_ITEM_ID),
        },
      ];
    });
  }
  return described;
}

/** Undefined: it is neither a text, a number nor yes or no. */
function plain(value: unknown, maxLength: number): string | number | boolean | undefined {
  if (typeof value === 'string') return cut(value, maxLength);
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Also between the halves of a character. */
function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed();
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
