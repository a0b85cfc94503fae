/** Whether what a meter costs is left. */
import type { MeterableValue } from '#contracts/public/values';
import { costAnswer, paidBy } from '../metering/cost-answer.ts';
import type { CostAnswer, MeterAnswer, MeterReading } from '../metering/read-meter.ts';
import { entityKey } from '../metering/reading-key.ts';
import { costIn } from './cost-in.ts';
import type { PreparedCost, PreparedProperty } from './prepared-artifact.ts';
import { readOwnMeter } from './read-own-meter.ts';
import type { Resolution } from './resolution.ts';
import { resolvedValue } from './resolve.ts';

interface Asked {
  readonly now: number;
  /** The entity that the call names. */
  readonly entity?: string | undefined;
}

/** The meter that pays. */
export function readPayer(
  resolution: Resolution,
  { payer }: PreparedCost,
  readings: ReadonlyMap<string, MeterReading> | null | undefined,
  { now, entity: id }: Asked,
): MeterAnswer {
  const propertyId = payer.property.id;
  const value = resolvedValue(resolution, payer) as MeterableValue;
  const entity = id === undefined ? null : { id, reading: readings?.get(entityKey(propertyId)) };
  return readOwnMeter(resolution, payer, value, readings?.get(propertyId), { now, entity });
}

/** The meter with what one costs: not allowed if that cannot be paid. A meter that costs nothing is returned itself. */
export function withCost(
  meter: MeterAnswer,
  resolution: Resolution,
  property: PreparedProperty,
  readings: ReadonlyMap<string, MeterReading> | null | undefined,
  asked: Asked,
): MeterAnswer {
  const cost = costIn(resolution, property);
  return cost === null ? meter : paidBy(meter, costOf(cost, readPayer(resolution, cost, readings, asked)));
}

export function costOf({ payer, thousandths }: PreparedCost, meter: MeterAnswer): CostAnswer {
  const named = { feature: payer.feature.slug, property: payer.property.key };
  return costAnswer({ ...named, thousandths }, meter);
}
