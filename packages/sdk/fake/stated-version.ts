/** The version that stated answers come to: features whose defaults they are, for everybody. */
import type { Meter, PropertyValue } from '#contracts/public/values';
import type { ArtifactContent, ArtifactProperty } from '#engine/artifacts/artifact-content';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';
import type { StatedMeter, StatedValue } from '../testing.ts';
import type { FakeCustomer } from './fake-customer.ts';

const LIMIT = 100;

/** @param values by path */
export function statedVersion(values: { readonly [path: string]: StatedValue }): ArtifactContent {
  const features = new Map<string, ArtifactProperty[]>();
  for (const [path, stated] of Object.entries(values)) {
    const [slug = ''] = path.split('.', 1);
    const key = path.slice(slug.length + 1) || SYSTEM_PROPERTY.key;
    const value = typeof stated === 'object' ? meterOf(stated) : stated;
    features.set(slug, [
      ...(features.get(slug) ?? []),
      {
        ...SYSTEM_PROPERTY,
        id: `${slug}.${key}`,
        key,
        name: key,
        type: typeOfValue(value) ?? 'string',
        value,
        isSystem: key === SYSTEM_PROPERTY.key,
      },
    ]);
  }
  return {
    formatVersion: 1,
    features: [...features].map(([slug, properties]) => ({
      id: slug,
      slug,
      name: slug,
      description: null,
      properties,
    })),
    plans: [],
    workflows: [],
    switchesMeters: true,
  };
}

/** What each customer has used when it is first seen. */
export function statedUsage(
  values: { readonly [path: string]: StatedValue },
  { features }: ArtifactContent,
): (customer: FakeCustomer, now: number) => void {
  const meters = features.flatMap(({ properties }) =>
    properties.flatMap(({ id, value }) =>
      typeof value === 'object' && value.state === 'metered'
        ? [{ propertyId: id, value, used: usedOf(values[id] as StatedMeter) }]
        : [],
    ),
  );
  return (customer, now) => {
    for (const { used, ...update } of meters) {
      if (!update.value.meter.uniqueResourceIds) customer.count({ ...update, by: used, enforce: false }, now);
      else
        for (let seat = 0; seat < used; seat++)
          customer.count({ ...update, resourceId: `stated-${seat}`, enforce: false }, now);
    }
  };
}

function usedOf({ used, remaining, limit = LIMIT }: StatedMeter): number {
  return used ?? (remaining === undefined ? 0 : limit - remaining);
}

function meterOf(stated: Exclude<StatedValue, string | number | boolean>): PropertyValue {
  const { state = 'metered' } = stated as { readonly state?: string };
  if (state !== 'metered') return { state: state as 'on' | 'off' };
  const { limit, remaining, per, perResource = false, allowed } = stated as StatedMeter;
  const used = usedOf(stated as StatedMeter);
  const known = limit ?? (allowed === false ? used : remaining === undefined ? LIMIT : used + remaining);
  const window: Pick<Meter, 'periodType' | 'periodCount' | 'periodLength'> =
    per === undefined
      ? { periodType: 'lifetime' }
      : { periodType: 'rolling', periodCount: 1, periodLength: per };
  return { state: 'metered', meter: { limit: known, ...window, uniqueResourceIds: perResource } };
}
