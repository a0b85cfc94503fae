/** Reads a meter with what is the customer's own: the anchor of its billing windows, and its balances. */
import type { MeterableValue } from '#contracts/public/values';
import { sourcesOf } from '../balances/drawing-order.ts';
import { type MeterAnswer, type MeterReading, readMeter } from '../metering/read-meter.ts';
import { windowOf } from '../metering/window-of.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';

/** @param isListed with what usage is taken from, in the order of drawing, if the customer has balances of the meter */
export function readOwnMeter(
  { anchors, balances }: Pick<Resolution, 'anchors' | 'balances'>,
  { index }: Pick<PreparedProperty, 'index'>,
  value: MeterableValue,
  reading: MeterReading | undefined,
  { now, isListed = false }: { readonly now: number; readonly isListed?: boolean },
): MeterAnswer {
  const anchor = anchors?.get(index)?.window;
  const own = balances?.get(index);
  if (own === undefined || value.state !== 'metered')
    return readMeter(value, reading, now, anchor === undefined ? undefined : { anchor });
  const { resetsAt } = windowOf({ ...value.meter, ...anchor }, now);
  return readMeter(value, reading, now, { anchor, sources: sourcesOf(own, resetsAt, now), isListed });
}
