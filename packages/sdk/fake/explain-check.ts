/** What an explained check of the fake server has beside others. */
import { explainNames } from '#engine/access/explain-names';
import { explain } from '#engine/entitlements/explain';
import { planSources } from '#engine/entitlements/plan-sources';
import type { Readings } from '#engine/entitlements/render-features';
import { type Asking, ENVIRONMENT } from './fake-api.ts';

export function explainCheck(
  { identified: { identity }, customer, resolution, facts, entity, now }: Asking,
  readings: Readings | null,
  isShown: (slug: string) => boolean,
): object {
  const sources = planSources(resolution.prepared, identity, facts, ENVIRONMENT, now);
  return {
    explanation: explain(resolution, sources, readings && { readings, now, entity }).filter(({ feature }) =>
      isShown(feature),
    ),
    names: explainNames({ identity, customer, facts }),
  };
}
