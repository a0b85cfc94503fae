// Prices that a call describes in `price_data` instead of naming one. They are archived at once, as in Stripe.
import type { Context } from '../core/emulator.ts';
import { newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { parameterMissing } from '../core/stripe-error.ts';
import type { PriceRecord } from '../store/records.ts';
import { getRecord } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { addPrice, readPrice } from './price-record.ts';
import { addProduct, newProductRecord } from './products.ts';

export function readPriceData(context: Context, data: Params): PriceRecord {
  const record = { ...readPrice(context, data, readProduct(context, data)), active: false };
  addPrice(context, record);
  return record;
}

function readProduct(context: Context, data: Params): string {
  const id = data.text('product');
  if (id !== undefined) return getRecord(context, 'product', id, data.nameOf('product')).id;
  const described = data.object('product_data');
  if (described === undefined) throw parameterMissing(data.nameOf('product'));
  described.accept('images', 'tax_code', 'tax_details', 'unit_label');
  const fields = omitUndefined({
    name: described.requiredText('name'),
    description: described.text('description'),
    metadata: described.metadata(),
  });
  return addProduct(context, newProductRecord(newId('prod'), context.now, fields)).id;
}
