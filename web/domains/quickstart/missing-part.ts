/** The one next thing that makes a response useful: what the organisation, or the customer, does not have yet. */
import type { Event } from '#contracts/console/events';

export interface WorkspaceParts {
  readonly features: number;
  readonly plans: number;
  readonly versions: number;
  /** A live or test environment runs a version. */
  readonly isDeployed: boolean;
}

/** A response of the API. */
export interface SeenResponse {
  /** Of the environment. The preview environment always has the workspace, or has it within seconds. */
  readonly hasVersion: boolean;
  readonly hasPlan: boolean;
  /** Null: the check named nobody, who has no subscription. */
  readonly customer: string | null;
}

export const seenIn = ({
  response,
  environmentType,
  detail: { planSlugs },
  subjectIdentifier,
}: Pick<Event, 'response' | 'environmentType' | 'detail' | 'subjectIdentifier'>): SeenResponse => ({
  hasVersion: environmentType === 'preview' || Object.keys(Object(Object(response).features)).length > 0,
  hasPlan: planSlugs.length > 0,
  customer: subjectIdentifier,
});

export type MissingPart = 'feature' | 'plan' | 'link' | 'version' | 'deployment';

/**
 * Null: the response is useful, and an environment of the organisation's customers returns the same. Calls are made once Stripe is
 * connected, so that plans come with subscriptions: with a product that is linked to a plan.
 */
export function missingPart(parts: WorkspaceParts, response: SeenResponse): MissingPart | null {
  const { features, plans, versions, isDeployed } = parts;
  const { hasVersion, hasPlan, customer } = response;
  if (features === 0) return 'feature';
  if (plans === 0) return 'plan';
  if (hasVersion && !hasPlan && customer !== null) return 'link';
  if (versions === 0) return 'version';
  return isDeployed ? null : 'deployment';
}
