/** What the comparison of known customers says, in words. */
import type { Impact, ImpactChange, ImpactKind } from '#contracts/console/impact';
import { counted, formatNumber } from '#web/ui/format.ts';

export const KIND_LABELS: Readonly<Record<ImpactKind, string>> = {
  loses: 'Loses',
  less: 'Less',
  changes: 'Changes',
  more: 'More',
  gains: 'Gains',
};

export interface ImpactFigure {
  readonly count: number;
  readonly label: string;
  readonly isBad: boolean;
}

/** How many customers no change concerns. */
export function keptCount(impact: Impact): number {
  const { customers, customersThatLose, customersWithLess, customersThatChange, customersWithMore } = impact;
  return customers - customersThatLose - customersWithLess - customersThatChange - customersWithMore;
}

/** Each customer is in one figure, by its worst change. Nobody is in those that are left out. */
export function impactFigures(impact: Impact): ImpactFigure[] {
  const { customersThatLose, customersWithLess, customersThatChange, customersWithMore } = impact;
  const figure = (count: number, one: string, many: string, isBad = false) => ({
    count,
    label: `${count === 1 ? 'customer' : 'customers'} ${count === 1 ? one : many}`,
    isBad,
  });
  return [
    figure(customersThatLose, 'loses access', 'lose access', true),
    figure(customersWithLess, 'gets less', 'get less'),
    figure(customersThatChange, 'gets something else', 'get something else'),
    figure(customersWithMore, 'gets more', 'get more'),
    figure(keptCount(impact), 'keeps what it has', 'keep what they have'),
  ].filter(({ count }, index, all) => count > 0 || index === all.length - 1);
}

/** '4,812 known customers, compared with v1'. @param base what they are compared with, if that is no version */
export function comparedLabel({ customers, fromArtifactNumber }: Impact, base?: string): string {
  const from = base ?? (fromArtifactNumber === null ? 'what runs now' : `v${fromArtifactNumber}`);
  return `${counted(customers, 'known customer')}, compared with ${from}`;
}

/** '84 customers on Team': the plans, if those whose names are known have the same. */
export function whoLabel({ customers, names }: Pick<ImpactChange, 'customers' | 'names'>): string {
  const [first, ...others] = names.map(({ plans }) => plans.join(', '));
  const isShared = first !== undefined && first !== '' && others.every((plans) => plans === first);
  return `${counted(customers, 'customer')}${isShared ? ` on ${first}` : ''}`;
}

/** What the figures do not say; empty if they say all. */
export function impactNotes({ notCompared, readings, changes, changesLeft }: Impact): string[] {
  const lower = changes.filter(({ kind, after }) => kind === 'less' && typeof after === 'object');
  const isUnread = lower.some(
    ({ customers, names }) => customers > names.length || names.some(({ used }) => used === null),
  );
  return [
    ...(isUnread
      ? [
          readings === 0
            ? 'Whether customers whose limit falls lose access isn’t known: their usage wasn’t read.'
            : `Usage was read for ${counted(readings, 'customer')} whose limit falls. Whether the others lose access isn’t known.`,
        ]
      : []),
    ...(notCompared === 0 ? [] : [`${counted(notCompared, 'further customer')} could not be compared.`]),
    ...(changesLeft === 0 ? [] : [`${formatNumber(changesLeft)} more changes concern fewer customers each.`]),
  ];
}

/** 'each one will cost 4 instead of 2 of ai.credits'. */
export function costChangeWords({ before, after }: NonNullable<ImpactChange['costs']>): string {
  const [old, next] = [before, after].map((cost) =>
    cost === null ? 'nothing' : `${formatNumber(cost.per)} of ${cost.path}`,
  );
  return before !== null && before.path === after?.path
    ? `each one will cost ${formatNumber(after.per)} instead of ${old}`
    : `each one will cost ${next}${before === null ? '' : ` instead of ${old}`}`;
}
