/** Tells the calendar windows of values which time zone they follow: that of their version. */
import type { PropertyValue } from '#contracts/public/values';
import type { ArtifactContent } from '../artifacts/artifact-content.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';

type Decided = Pick<ArtifactContent, 'features' | 'plans'>;

/** @returns the same lists without a zone */
export function zonedContent({ features, plans }: Decided, zone: string | undefined): Decided {
  if (zone === undefined) return { features, plans };
  const zoned = <Kind extends { readonly value: PropertyValue }>(each: Kind) => ({
    ...each,
    value: zonedValue(each.value, zone),
  });
  return {
    features: features.map((feature) => ({ ...feature, properties: feature.properties.map(zoned) })),
    plans: plans.map((plan) => ({ ...plan, values: plan.values.map(zoned) })),
  };
}

/** @returns the same value without calendar windows or a zone */
export function zonedValue(value: PropertyValue, zone: string | undefined): PropertyValue {
  if (zone === undefined || typeof value !== 'object' || value.state === 'off') return value;
  const perEntity = perEntityOf(value);
  const zoned = perEntity?.periodType === 'rolling' ? { perEntity: { ...perEntity, zone } } : {};
  if (value.state === 'on') return { ...value, ...zoned };
  const { meter } = value;
  return { ...value, ...zoned, meter: meter.periodType === 'rolling' ? { ...meter, zone } : meter };
}

/** As it was set: what workflows return must be a value that a person could set. */
export function unzonedValue(value: PropertyValue): PropertyValue {
  if (typeof value !== 'object' || value.state === 'off') return value;
  const perEntity = perEntityOf(value);
  const unzoned = perEntity?.zone === undefined ? {} : { perEntity: withoutZone(perEntity) };
  if (value.state === 'on') return { ...value, ...unzoned };
  return { ...value, ...unzoned, meter: withoutZone(value.meter) };
}

function withoutZone<Kind extends { readonly zone?: string | undefined }>({ zone: _, ...rest }: Kind) {
  return rest;
}
