/** What a customer's meters take from each other, in words: on the one that costs something, and on the one that pays. */
import type { Entitlement } from '#contracts/console/customers';
import { formatNumber } from '#web/ui/format.ts';

/** By the property's ID; absent: there is nothing to say. */
export type CostNotes = ReadonlyMap<string, CostNote>;

export interface CostNote {
  readonly text: string;
  /** Too little is left to pay for one. */
  readonly isUnpaid: boolean;
}

export function costNotes(entitlements: readonly Entitlement[]): CostNotes {
  const costing = entitlements.filter(({ meter }) => meter?.costs !== undefined);
  if (costing.length === 0) return new Map();
  const byPayer = Map.groupBy(costing, ({ meter }) => `${meter?.costs?.feature}.${meter?.costs?.property}`);
  return new Map(
    entitlements.flatMap((each): [string, CostNote][] => {
      const { propertyId, feature, property, meter } = each;
      const paidFor = byPayer.get(`${feature}.${property}`);
      if (paidFor !== undefined) return [[propertyId, { text: paidForText(paidFor), isUnpaid: false }]];
      return meter?.costs === undefined ? [] : [[propertyId, costNote(meter.costs)]];
    }),
  );
}

type Costs = NonNullable<NonNullable<Entitlement['meter']>['costs']>;

/** 'Each costs 4 of ai.credits, 7,600 left'. */
function costNote({ feature, property, per, allowed, remaining }: Costs): CostNote {
  const costs = `Each costs ${formatNumber(per)} of ${feature}.${property}`;
  const left =
    remaining === undefined ? (allowed ? 'unlimited' : 'which is off') : `${formatNumber(remaining)} left`;
  return { text: `${costs}, ${left}`, isUnpaid: !allowed };
}

/** 'Pays for images.generations (4 each), chat.tokens (0.25 each)'. */
function paidForText(costing: readonly Entitlement[]): string {
  const parts = costing.map(({ feature, property, meter }) => {
    const per = meter?.costs?.per ?? 0;
    return `${feature}.${property} (${formatNumber(per)} each)`;
  });
  return `Pays for ${parts.join(', ')}`;
}
