/** The version that stated answers come to: features whose defaults they are, for everybody. */
import type { PropertyValue } from '#contracts/public/values';
import type { ArtifactContent, ArtifactProperty } from '#engine/artifacts/artifact-content';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';
import type { FakeCustomer } from './fake-customer.ts';

/** What is stated by path: a value, and for a meter what each customer has used when it is first seen. */
export type Stated = ReadonlyMap<string, { readonly value: PropertyValue; readonly used: number }>;

export function statedVersion(stated: Stated): ArtifactContent {
  const features = new Map<string, ArtifactProperty[]>();
  for (const [path, { value }] of stated) {
    const { slug, key, id } = placeOf(path);
    features.set(slug, [
      ...(features.get(slug) ?? []),
      {
        ...SYSTEM_PROPERTY,
        id,
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

/** Counts for a customer what it has used when it is first seen. */
export function statedUsage(stated: Stated): (customer: FakeCustomer, now: number) => void {
  const meters = [...stated].flatMap(([path, { value, used }]) =>
    typeof value === 'object' && value.state === 'metered'
      ? [{ propertyId: placeOf(path).id, value, used }]
      : [],
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

/** @param path a feature's slug alone stands for its verdict */
function placeOf(path: string): { slug: string; key: string; id: string } {
  const [slug = ''] = path.split('.', 1);
  const key = path.slice(slug.length + 1) || SYSTEM_PROPERTY.key;
  return { slug, key, id: `${slug}.${key}` };
}
