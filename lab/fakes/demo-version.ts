// The demo's features as a version, for the package's server for tests: what examples call in place of the demo.

import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';
import { demoFeatures } from '../../dev/demo/demo-features.ts';

/** Everybody has all of them, with two exports. */
export function demoVersion() {
  const exports = { limit: 2, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const properties = demoFeatures.flatMap(({ slug, properties: own }) => [
    { ...SYSTEM_PROPERTY, id: `${slug}.enabled`, featureId: slug, value: true },
    ...own.map(({ propertyKey: key, type, name }) => ({
      id: `${slug}.${key}`,
      featureId: slug,
      key,
      name,
      type,
      description: null,
      value: key === 'exports' ? { state: 'metered' as const, meter: exports } : defaultOf(type),
      bounds: null,
      conflictResolution: 'higher' as const,
      isSystem: false,
    })),
  ]);
  const features = demoFeatures.map(({ slug, name }) => ({
    id: slug,
    slug: slug as string,
    name,
    description: null,
  }));
  const nothing = { plans: [], planValues: [], planProducts: [], workflows: [] };
  return compileArtifact({ features, properties, ...nothing, limitOrder: 'rate' });
}

function defaultOf(type: string) {
  if (type === 'meterable') return { state: 'on' as const };
  return type === 'number' ? 1 : type === 'boolean' ? true : 'some';
}
