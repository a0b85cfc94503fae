/** What an update draws from besides, if its meter rolls over, and what later ones need to know of it. */
import type { AlsoCount, CounterUpdate, DrawSource } from '#contracts/internal/ledger';
import type { Rollover } from '#contracts/public/rollover';
import { withRolledSources } from '../balances/rolled-sources.ts';
import { windowOf } from '../metering/window-of.ts';
import type { CustomerMeters } from './customer-meters.ts';
import type { KnownPeriod } from './periods.ts';
import { windowIn } from './usage-change.ts';

type Counting = Pick<
  CounterUpdate,
  'propertyId' | 'value' | 'anchorAt' | 'trialEndAt' | 'sources' | 'customerReading'
>;

const QUOTA_ONLY: readonly DrawSource[] = ['quota'];

export function rollsOver({ value }: Pick<Counting, 'value'>): boolean {
  return value.state === 'metered' && value.meter.rollover !== undefined;
}

/** @returns the same update if nothing was rolled over. What entities have of their own does not roll over. */
export function withRolled(meters: CustomerMeters, update: CounterUpdate, now: number): CounterUpdate {
  const { also } = update;
  const own = withOwnRolled(meters, update, now);
  if (also === undefined || !also.some(rollsOver)) return own;
  return { ...own, also: also.map((each) => (isOfCustomer(each) ? withOwnRolled(meters, each, now) : each)) };
}

const isOfCustomer = ({ entity }: AlsoCount) => entity === undefined;

function withOwnRolled<Kind extends Counting>(meters: CustomerMeters, update: Kind, now: number): Kind {
  const { propertyId, value, sources = QUOTA_ONLY } = update;
  if (value.state !== 'metered' || value.meter.rollover === undefined) return update;
  const window = windowIn(value.meter, update);
  const rolled = update.customerReading?.rolled ?? meters.rolled(propertyId, window, now);
  if (rolled.length === 0) return update;
  return { ...update, sources: withRolledSources(sources, rolled, windowOf(window, now).resetsAt) };
}

/** Where periods are stored. */
export interface PeriodRecords {
  /** The ledger's own. */
  readonly origin: string;
  putPeriod(period: KnownPeriod, rollover: Rollover): void;
}

/** Writes down the limits that an update was decided against, where they are not known. */
export function notePeriods(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: PeriodRecords,
): void {
  // The name's ledger decides against what is left for the name.
  const all = [update, ...(update.also ?? []).filter(isOfCustomer)];
  for (const each of all.filter(({ customerReading }) => customerReading === undefined)) {
    if (each.value.state !== 'metered' || each.value.meter.rollover === undefined) continue;
    const { propertyId } = each;
    const { limit, rollover } = each.value.meter;
    const { startsAt, resetsAt } = windowOf(windowIn(each.value.meter, each), now);
    const known = meters.periods?.find(propertyId, startsAt);
    const endsAt = resetsAt ?? startsAt;
    if (known?.limit === limit && known.endsAt === endsAt) continue;
    const period = {
      ...{ propertyId, startsAt, endsAt, limit, firstLimit: known?.firstLimit ?? limit },
      ...{ origin: records.origin, stamp: Math.max(now, (known?.stamp ?? 0) + 1) },
    };
    records.putPeriod(period, rollover);
    meters.periods?.put(period);
  }
}
