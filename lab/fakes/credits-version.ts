// What the template "AI credits" gives everybody, as a version for the package's server for tests: 100 credits.
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';

export function creditsVersion() {
  const featureId = 'ai-calls';
  const meter = { limit: 100, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const credits = {
    id: 'ai-calls.credits',
    featureId,
    key: 'credits',
    name: 'Credits',
    type: 'meterable',
    description: null,
    value: { state: 'metered', meter },
    bounds: null,
    conflictResolution: 'higher',
    isSystem: false,
  } as const;
  const enabled = { ...SYSTEM_PROPERTY, id: 'ai-calls.enabled', featureId, value: true };
  const features = [{ id: featureId, slug: featureId, name: 'AI calls', description: null }];
  const nothing = { plans: [], planValues: [], planProducts: [], workflows: [] };
  return compileArtifact({ features, properties: [enabled, credits], ...nothing, limitOrder: 'rate' });
}
