/** During a deployment an earlier release may answer, without the latest figures: they are empty then. Without the schema, which a first page does not load. */
import type { EventMetrics } from '#contracts/console/event-metrics';

type Bucket = EventMetrics['buckets'][number];
type Feature = EventMetrics['features'][number];
type Latest = 'reasonsFrom' | 'routes' | 'workflows';

/** As an earlier release answers. */
export interface FormerMetrics
  extends Omit<EventMetrics, Latest | 'buckets' | 'features'>,
    Partial<Pick<EventMetrics, Latest>> {
  readonly buckets: (Omit<Bucket, 'causes'> & Partial<Pick<Bucket, 'causes'>>)[];
  readonly features: (Omit<Feature, 'causes'> & Partial<Pick<Feature, 'causes'>>)[];
}

const NO_CAUSES = { 'not-in-plan': 0, 'limit-reached': 0, 'token-not-accepted': 0, blocked: 0 };

export function completeMetrics(answer: FormerMetrics): EventMetrics {
  return {
    ...answer,
    reasonsFrom: answer.reasonsFrom ?? null,
    routes: answer.routes ?? [],
    workflows: answer.workflows ?? [],
    buckets: answer.buckets.map((bucket) => ({ ...bucket, causes: bucket.causes ?? NO_CAUSES })),
    features: answer.features.map((feature) => ({ ...feature, causes: feature.causes ?? NO_CAUSES })),
  };
}
