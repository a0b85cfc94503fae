// Lines of an invoice: of a subscription's items, of prices that are paid once, and of invoice items; with what discounts take off.
// A metered price is billed from its meter's events.
import { type Context, newId } from '../core/emulator.ts';
import type { DiscountRecord } from '../store/discount-records.ts';
import type {
  CheckoutLine,
  InvoiceItemRecord,
  InvoiceLineRecord,
  PriceRecord,
  SubscriptionItemRecord,
  SubscriptionRecord,
} from '../store/records.ts';
import { applyDiscounts } from './apply-discounts.ts';
import { getRecord } from './list-page.ts';
import { meteredUnits } from './meter-usage.ts';
import { priceOfUnits } from './price-of-units.ts';

/** @param used the period of the billed usage, in Unix seconds; null for no usage */
export function linesOfItems(
  context: Context,
  subscription: SubscriptionRecord,
  items: readonly SubscriptionItemRecord[],
  used: { from: number; to: number } | null,
): InvoiceLineRecord[] {
  const isTrial = subscription.status === 'trialing';
  return items.flatMap((item): InvoiceLineRecord[] => {
    const price = getRecord(context, 'price', item.price);
    const isMetered = price.recurring?.usage_type === 'metered';
    if (isMetered && used === null) return [];
    const units =
      isMetered && used
        ? meteredUnits(context, price, subscription.customer, used.from, used.to)
        : (item.quantity ?? 1);
    const line = { ...lineOfPrice(context, price, units), subscription_item: item.id };
    if (!isTrial) return [line];
    const description = `Trial period for ${getRecord(context, 'product', price.product).name}`;
    return [{ ...line, amount: 0, description }];
  });
}

/** Lines of prices that are paid once, in a checkout. */
export function linesOfCheckout(context: Context, lines: readonly CheckoutLine[]): InvoiceLineRecord[] {
  return lines.map(({ price, quantity }) =>
    lineOfPrice(context, getRecord(context, 'price', price), quantity ?? 1),
  );
}

export function lineOfInvoiceItem(context: Context, item: InvoiceItemRecord): InvoiceLineRecord {
  const { amount, discountable, id, metadata, period, price, quantity } = item;
  const name =
    price === null ? '' : lineOfPrice(context, getRecord(context, 'price', price), quantity).description;
  return {
    id: newId('il', 24),
    amount,
    description: item.description ?? name,
    price,
    quantity,
    subscription_item: null,
    invoice_item: id,
    metadata,
    period,
    ...(discountable ? {} : { discountable }),
  };
}

function lineOfPrice(context: Context, price: PriceRecord, units: number): InvoiceLineRecord {
  const { name } = getRecord(context, 'product', price.product);
  return {
    id: newId('il', 24),
    amount: priceOfUnits(price, units),
    description: `${units} × ${name}`,
    price: price.id,
    quantity: units,
    subscription_item: null,
  };
}

/** The lines with what each discount takes off them. */
export function discountLines(
  context: Context,
  lines: readonly InvoiceLineRecord[],
  discounts: readonly DiscountRecord[],
  currency: string,
): InvoiceLineRecord[] {
  const taken = applyDiscounts(
    lines.map(({ amount, discountable = true, price }) => ({
      amount,
      isDiscountable: discountable,
      product: price === null ? null : getRecord(context, 'price', price).product,
    })),
    discounts.map(({ id, terms }) => ({ discount: id, terms })),
    currency,
  );
  return lines.map(({ discount_amounts: _, ...line }, index) => {
    const amounts = taken[index] ?? [];
    return amounts.length === 0 ? line : { ...line, discount_amounts: amounts };
  });
}
