/** The quick start's steps of an organisation, from the data of several domains. For /quickstart and the dashboard. */
import { useQuery } from '@tanstack/react-query';
import type { QuickstartStatus } from '#contracts/console/organisations';
import type { StripeIntegration } from '#contracts/console/stripe';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationQuery, stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { type QuickstartStep, quickstartSteps } from '#web/domains/quickstart/steps.ts';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { organisationSummaryQuery } from '#web/session/queries.ts';

export interface QuickstartOptions {
  /** False: nothing is fetched. */
  readonly isEnabled?: boolean;
  /** The Stripe integration is polled, because its steps advance on their own. */
  readonly isWatching?: boolean;
}

export interface Quickstart {
  /** Undefined while loading. */
  readonly steps: readonly QuickstartStep[] | undefined;
  /** The integration that the Stripe steps are about: the quick start's own, otherwise the first. */
  readonly stripe: StripeIntegration | null;
  readonly status: QuickstartStatus | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useQuickstart(
  orgId: string,
  { isEnabled: enabled = true, isWatching = false }: QuickstartOptions = {},
): Quickstart {
  const summary = useQuery({ ...organisationSummaryQuery(orgId), enabled });
  const list = useQuery({ ...stripeIntegrationsQuery(orgId), enabled });
  const tokens = useQuery({ ...jwtIntegrationsQuery(orgId), enabled });
  const usage = useQuery({ ...usageQuery(orgId), enabled });
  const listed = list.data?.find(({ quickStart }) => quickStart) ?? list.data?.[0] ?? null;
  const watched = useQuery({
    ...stripeIntegrationQuery(orgId, listed?.id ?? '', true),
    enabled: enabled && isWatching && listed !== null,
  });
  const stripe = (isWatching ? watched.data : undefined) ?? listed;

  const queries = [summary, list, tokens, usage];
  const isKnown = summary.data && list.data && tokens.data && usage.data;
  return {
    steps: isKnown
      ? quickstartSteps({
          stripe,
          hasJwtIntegration: tokens.data.length > 0,
          isJwtSkipped: summary.data.quickstartIdIntegrationSkipped,
          hasUsage: usage.data.hasUsage,
          isFinished: summary.data.quickstartStatus === 'finished',
        })
      : undefined,
    stripe,
    status: summary.data?.quickstartStatus ?? null,
    error: queries.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}
