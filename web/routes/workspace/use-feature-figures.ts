/** Plans, calls and last changes of features, of three queries that nothing else of the page waits for. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { actorName } from '#web/domains/activity/describe-activity.ts';
import { lastFeatureChangesQuery } from '#web/domains/activity/queries.ts';
import type { FeatureFigures } from '#web/domains/features/features-table.tsx';
import { featureCallsQuery, featureSummariesQuery } from '#web/domains/features/queries.ts';

const NO_CALLS = { calls: 0, denied: 0 };

export function useFeatureFigures(orgId: string): FeatureFigures {
  const { data: summaries, isError: lacksPlans } = useQuery(featureSummariesQuery(orgId));
  const { data: calls, isError: lacksCalls } = useQuery(featureCallsQuery(orgId));
  const { data: changes } = useQuery(lastFeatureChangesQuery(orgId));
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
