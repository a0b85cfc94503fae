/**
 * What is known of one customer: the products that Stripe says they subscribe to, and what was said of them by hand, put on
 * top of what everybody has (DESIGN 4 and 5).
 */
import type { CustomerFacts } from '#contracts/customer-facts';
import type { Issue } from '../values/issue.ts';
import { activeProducts, type EnvironmentType } from './active-products.ts';
import { overrideValues } from './override-values.ts';
import { plansOf, type Subject } from './plans-of.ts';
import type { PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { resolve } from './resolve.ts';

export interface AppliedFacts {
  readonly resolution: Resolution;
  /** The earliest end of something that holds: the answer may be kept no longer. Infinity where nothing ends. */
  readonly until: number;
  /** Overrides that do not fit their property as this version has it, and that were left out. */
  readonly refused: readonly { readonly property: PreparedProperty; readonly issues: readonly Issue[] }[];
}

/** The source of an override, for explaining. */
export const OVERRIDE = 'override';

/** As believeFacts gave them. What has ended says nothing. Plans and properties that this version does not have are passed over. */
export function applyFacts(
  prepared: PreparedArtifact,
  subject: Subject,
  { grants, overrides, stripe }: CustomerFacts,
  environmentType: EnvironmentType,
  now: number,
): AppliedFacts {
  const holds = ({ until }: { readonly until: number | null }) => until === null || until > now;
  const holding = [...grants, ...overrides].filter(holds);
  const until = holding.reduce(
    (earliest, each) => Math.min(earliest, each.until ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  const planSet = plansOf(prepared, {
    ...subject,
    products: stripe ? activeProducts(stripe.subscriptions, environmentType) : undefined,
    grantedPlanIds: grants.filter(holds).map(({ planId }) => planId),
  });
  const known = overrides.filter((each) => holds(each) && prepared.propertyById.has(each.propertyId));
  const { resolution, refused } = overrideValues(
    resolve(prepared, planSet),
    known.map(({ propertyId, value }) => ({ propertyId, value, source: OVERRIDE })),
  );
  return {
    resolution,
    until,
    refused: refused.flatMap(({ override, issues }) => {
      const property = prepared.propertyById.get(override.propertyId);
      return property === undefined ? [] : [{ property, issues }];
    }),
  };
}
