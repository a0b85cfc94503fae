/** Plans, calls and last changes of features, of three queries that nothing else of the page waits for. */

import { useMemo } from 'react';
import { activityEndpoints } from '#contracts/console/activity';
import { eventMetricsEndpoints } from '#contracts/console/event-metrics';
import { featureEndpoints } from '#contracts/console/features';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { actorName } from '#web/domains/activity/describe-activity.ts';
import type { FeatureFigures } from '#web/domains/features/features-table.tsx';

const NO_CALLS = { calls: 0, denied: 0 };

export function useFeatureFigures(orgId: string): FeatureFigures {
  const { data: summaries, isError: lacksPlans } = useEndpoint(featureEndpoints.listSummaries, { orgId });
  const { data: calls, isError: lacksCalls } = useEndpoint(eventMetricsEndpoints.readFeatureCalls, { orgId });
  const { data: changes } = useEndpoint(activityEndpoints.lastFeatureChanges, { orgId });
  return useMemo(() => {
    const plans = new Map(summaries?.map(({ featureId, planCount }) => [featureId, planCount]));
    const bySlug = new Map(calls?.features.map((each) => [each.slug, each]));
    const last = new Map(
      changes?.map(({ featureId, at, actor }) => [featureId, { at, by: actorName(actor) }] as const),
    );
    return {
      plansOf: summaries && ((featureId) => plans.get(featureId) ?? 0),
      callsOf: calls && ((slug) => bySlug.get(slug) ?? NO_CALLS),
      changeOf: (featureId) => last.get(featureId),
      hasFailed: { plans: lacksPlans, calls: lacksCalls },
    };
  }, [summaries, calls, changes, lacksPlans, lacksCalls]);
}
