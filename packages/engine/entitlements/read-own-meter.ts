/** Reads a meter with what is the customer's own: the anchor of its billing windows, and its balances. */
import type { RolledGrant } from '#contracts/internal/ledger';
import type { MeterableValue } from '#contracts/public/values';
import { sourcesOf } from '../balances/drawing-order.ts';
import { type ReadEntity, withEntity } from '../metering/read-entity.ts';
import { endsAt, type MeterAnswer, type MeterReading, readMeter } from '../metering/read-meter.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';

const NONE: readonly never[] = [];

export interface ReadOptions {
  readonly now: number;
  /**
   * With what usage is taken from, in the order of drawing, if the customer has balances of the meter, or something of an earlier period
   * rolled over.
   */
  readonly isListed?: boolean;
  /** The entity of the call, if that names one. */
  readonly entity?: ReadEntity | null;
}

export function readOwnMeter(
  { anchors, balances }: Pick<Resolution, 'anchors' | 'balances'>,
  { index }: Pick<PreparedProperty, 'index'>,
  value: MeterableValue,
  reading: MeterReading | undefined,
  { now, isListed = false, entity = null }: ReadOptions,
): MeterAnswer {
  const anchor = anchors?.get(index)?.window;
  const own = balances?.get(index);
  const perEntity = perEntityOf(value);
  const rolled = rolledOf(value, reading);
  const answer =
    value.state !== 'metered' || (own === undefined && rolled.length === 0)
      ? readMeter(value, reading, now, anchor === undefined ? undefined : { anchor })
      : readMeter(value, reading, now, {
          anchor,
          sources: sourcesOf(own ?? NONE, endsAt({ ...value.meter, ...anchor }, reading, now), now, rolled),
          isListed,
        });
  return perEntity === undefined
    ? answer
    : withEntity(
        answer,
        { ...perEntity, anchor, balances: own, drawn: reading?.draws?.grants, isListed },
        entity,
        now,
      );
}

/** What was rolled over, if the value still rolls over. */
export function rolledOf(value: MeterableValue, reading: MeterReading | undefined): readonly RolledGrant[] {
  const rolls = value.state === 'metered' && value.meter.rollover !== undefined;
  return rolls ? (reading?.rolled ?? NONE) : NONE;
}
