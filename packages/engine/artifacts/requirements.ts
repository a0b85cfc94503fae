/**
 * What a property asks of the release that decides it. A version may be read by a release before the one that froze it: during a deployment,
 * and after a rollback. A release that does not know something which the property depends on would give more than its plans say, so it
 * takes the property to be off: too strict, never too generous. Usage is counted all the same. Overage and balances
 * that open a feature need no name: a release that does not know them refuses.
 */
import type { PropertyValue } from '#contracts/public/values';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import { planCostsOf } from '../values/kinds/plan-costs.ts';
import type { ArtifactContent, ArtifactPlan, ArtifactProperty } from './artifact-content.ts';

/** What this release knows, by the names in `ArtifactProperty.requires`. */
const KNOWN: ReadonlySet<string> = new Set([
  'trial-limit',
  'entities',
  'seats',
  'rollover',
  'costs',
  'plan-costs',
  'zone',
]);

/**
 * By another calendar a day may begin twice for one customer: what UTC's has left, and what the zone's has.
 *
 * @param values the default, and those of all plans
 * @param zone of the version; null: UTC
 */
export function requirementsOf(
  { costs }: Pick<ArtifactProperty, 'costs'>,
  values: readonly PropertyValue[],
  zone: string | null = null,
): string[] {
  const meterable = values.filter((value) => typeof value === 'object');
  const meters = meterable.flatMap((value) => (value.state === 'metered' ? value.meter : []));
  const perEntity = meterable.flatMap((value) => perEntityOf(value) ?? []);
  const isOfCalendar = [...meters, ...perEntity].some(({ periodType }) => periodType === 'rolling');
  return [
    ...(costs === undefined ? [] : ['costs']),
    ...(meterable.some((value) => planCostsOf(value) !== undefined) ? ['plan-costs'] : []),
    ...(meters.some(({ trialLimit }) => trialLimit !== undefined) ? ['trial-limit'] : []),
    ...(perEntity.length > 0 ? ['entities'] : []),
    ...(perEntity.some(({ seats }) => seats !== undefined) ? ['seats'] : []),
    ...(meters.some(({ rollover }) => rollover !== undefined) ? ['rollover'] : []),
    ...(zone !== null && isOfCalendar ? ['zone'] : []),
  ];
}

type Decided = Pick<ArtifactContent, 'features' | 'plans'>;

/** @returns the same lists unless a property requires what this release does not know */
export function withoutUnknown({ features, plans }: Decided): Decided {
  const unknown = new Set(
    features.flatMap(({ properties }) => properties.filter(isUnknown).map(({ id }) => id)),
  );
  if (unknown.size === 0) return { features, plans };
  return {
    features: features.map((feature) => ({
      ...feature,
      properties: feature.properties.map((property) =>
        unknown.has(property.id) ? { ...property, value: { state: 'off' } } : property,
      ),
    })),
    plans: plans.map(
      (plan): ArtifactPlan => ({
        ...plan,
        values: plan.values.filter(({ propertyId }) => !unknown.has(propertyId)),
      }),
    ),
  };
}

function isUnknown({ type, requires = [] }: ArtifactProperty): boolean {
  return type === 'meterable' && requires.some((name) => !KNOWN.has(name));
}
