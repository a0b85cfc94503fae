// What the template "AI credits" gives everybody, as a version for the package's server for tests: 100 credits, and tokens of chat that cost 0.1.
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
  const tokens = {
    ...credits,
    ...{ id: 'chat.tokens', featureId: 'chat', key: 'tokens', name: 'Tokens' },
    value: { state: 'on' },
    costs: { propertyId: credits.id, thousandths: 100 },
  } as const;
  const features = [
    { id: featureId, slug: featureId, name: 'AI calls', description: null },
    { id: 'chat', slug: 'chat', name: 'Chat', description: null },
  ];
  const enabled = features.map(({ id }) => ({
    ...{ ...SYSTEM_PROPERTY, id: `${id}.enabled`, featureId: id, value: true },
  }));
  const nothing = { plans: [], planValues: [], planProducts: [], workflows: [] };
  return compileArtifact({
    features,
    properties: [...enabled, credits, tokens],
    ...nothing,
    limitOrder: 'rate',
  });
}
