/** The month's usage as stacked series of one chart: by kind, as the tiles show it, or by environment. */
import { type EventType, NO_ENVIRONMENT } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';
import { type DayTotal, dailyTotals, totalOf, USAGE_LABELS } from './sum-usage.ts';

export type UsageSplit = 'kind' | 'environment';

export interface UsageSeries {
  readonly key: string;
  readonly label: string;
  /** A custom property. */
  readonly colour: string;
  readonly total: number;
  readonly days: readonly DayTotal[];
}

/** The kinds, in the order of the tiles. */
export const USAGE_KINDS: readonly EventType[] = ['ac', 'cu', 'se'];

/** Colours of the kinds: in the tiles and in the chart. */
export const KIND_COLOURS: Readonly<Record<EventType, string>> = {
  ac: '--series-1',
  cu: '--series-2',
  se: '--series-3',
};

const COLOURS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'];
const REST_COLOUR = '--series-rest';

/**
 * Series with usage, from bottom to top. Their totals add up to the total of `items`. Beyond five environments, the least
 * used share a series.
 */
export function usageSeries(
  items: readonly UsageItem[],
  split: UsageSplit,
  nameOf: (environmentId: string) => string,
  now: number,
): UsageSeries[] {
  if (split === 'kind') {
    return USAGE_KINDS.map((type) =>
      seriesOf(
        items.filter((item) => item.type === type),
        { key: type, label: USAGE_LABELS[type], colour: KIND_COLOURS[type] },
        now,
      ),
    ).filter(({ key, total }) => key === 'ac' || total > 0);
  }
  const groups = [...Map.groupBy(items, ({ environment }) => environment)]
    .map(([environmentId, own]) => ({ environmentId, own, total: totalOf(own) }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total || (one.environmentId < other.environmentId ? -1 : 1));
  const isFolded = groups.length > COLOURS.length;
  const shown = isFolded ? groups.slice(0, COLOURS.length - 1) : groups;
  const rest = groups.slice(shown.length);
  const series = shown.map(({ environmentId, own }, index) =>
    seriesOf(
      own,
      { key: environmentId, label: nameOf(environmentId), colour: COLOURS[index] ?? REST_COLOUR },
      now,
    ),
  );
  if (rest.length === 0) return series;
  const label = `${rest.length} other environments`;
  return [
    ...series,
    seriesOf(
      rest.flatMap(({ own }) => own),
      { key: 'rest', label, colour: REST_COLOUR },
      now,
    ),
  ];
}

/** The name of an environment in the usage. Stripe events belong to all environments. */
export function usageNames(
  environments: readonly { readonly id: string; readonly name: string }[],
): (environmentId: string) => string {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  names.set(NO_ENVIRONMENT, 'All environments');
  return (id) => names.get(id) ?? 'Deleted environment';
}

function seriesOf(
  items: readonly UsageItem[],
  look: Pick<UsageSeries, 'key' | 'label' | 'colour'>,
  now: number,
): UsageSeries {
  return { ...look, total: totalOf(items), days: dailyTotals(items, now) };
}
