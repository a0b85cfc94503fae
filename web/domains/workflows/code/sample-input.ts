/** An input to start with in the Run pane. */
import { kindOf } from '#engine/values/kinds/kinds';
import type { WorkflowDependencies } from './declarations.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A customer from Germany who signed up three days ago. */
export function sampleInputOf({ type, planSlugs, feature }: WorkflowDependencies, now = Date.now()): object {
  return {
    identity: { isAuthenticated: true, method: 'identifier', identifier: 'ada@example.com' },
    customer: {
      isCustomer: true,
      id: 'cus_example',
      email: 'ada@example.com',
      plans: planSlugs.slice(0, 1),
      productIds: [],
      metadata: { seats: '5' },
      createdAt: now - 3 * DAY,
      subscriptions: [],
    },
    place: { country: 'DE', city: 'Berlin', continent: 'EU', location: 'weur' },
    context: {},
    now,
    ...(type === 'feature-behaviour' && {
      feature: {
        slug: feature?.slug ?? '',
        values: Object.fromEntries(
          (feature?.properties ?? []).map(({ propertyKey, type: valueType }) => [
            propertyKey,
            kindOf(valueType).defaultValue,
          ]),
        ),
        meters: {},
      },
    }),
  };
}
