/**
 * / and /o/{orgId}/: what runs where, the guide for a new organisation, the month's usage, the latest decisions, and cards for
 * API keys and versions.
 */
import { Button, Skeleton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import { isSettled } from '#web/api/is-settled.ts';
import { toServerTime } from '#web/clock.ts';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { VersionOverviewCard } from '#web/domains/environments/deployments/version-overview-card.tsx';
import { ApiKeysCard } from '#web/domains/environments/keys/api-keys-card.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { lastDiffQuery } from '#web/domains/environments/versions/queries.ts';
import { StateLine } from '#web/domains/environments/versions/state-line.tsx';
import { isDeployed } from '#web/domains/quickstart/is-deployed.ts';
import { LimitNotice } from '#web/domains/usage/limit-notice.tsx';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { callsOf, totalOf } from '#web/domains/usage/sum-usage.ts';
import { UsageTiles } from '#web/domains/usage/usage-tiles.tsx';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { organisationSummaryQuery } from '#web/session/queries.ts';
import { useSession } from '#web/session/session.ts';
import { sentence } from '#web/ui/format.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { useLatch } from '#web/ui/loading/use-latch.ts';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { QuickstartGuide } from '../quickstart/quickstart-guide.tsx';
import classes from './dashboard.module.css';
import { DashboardActivity } from './dashboard-activity.tsx';

const firstOrganisation = codeApart(async () => (await import('./first-organisation.tsx')).FirstOrganisation);

export function DashboardPage() {
  const { user } = useSession();
  const { orgId, isLoading, error, retry } = useOrganisation();
  return (
    <Page
      title={sentence`Welcome, ${user?.name ?? ''}`}
      {...(orgId === null && { subtitle: null })}
      crumb={null}
    >
      {orgId !== null ? (
        <Overview key={orgId} orgId={orgId} />
      ) : error !== null ? (
        <ErrorState title="Your organisations could not be loaded" error={error} onRetry={retry} />
      ) : (
        !isLoading && <OptionalPart code={firstOrganisation} props={{}} onFailure={() => undefined} />
      )}
    </Page>
  );
}

/** Appears at once when everything that decides on its layout is known, because each part moves the next. */
function Overview({ orgId }: { orgId: string }) {
  const environments = useQuery(environmentsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const usage = useQuery(usageQuery(orgId));
  const summary = useQuery(organisationSummaryQuery(orgId));
  const queries = [environments, deployments, usage, summary, useQuery(lastDiffQuery(orgId))];
  const used = usage.data && totalOf(usage.data.items);
  const calls = usage.data && callsOf(usage.data.items);
  const statuses = deployments.data?.environments;
  const status = summary.data?.quickstartStatus;
  const hasShipped = calls !== undefined && calls > 0 && statuses !== undefined && isDeployed(statuses);
  const hasUsage = used !== undefined && used > 0;
  const guide = status === 'dismissed' || (status === 'finished' && hasShipped) ? undefined : status;
  const isKnown = useLatch(queries.every(isSettled));
  if (!isKnown) return <OverviewSkeleton orgId={orgId} />;
  const cards = <Cards orgId={orgId} environments={environments} deployments={deployments} />;
  // The charts need the environments. If those fail to load, a card below shows the error.
  const figures = (isGuided: boolean) =>
    (environments.error === null || environments.data !== undefined) && (
      <Usage orgId={orgId} environments={environments.data} hasUsage={hasUsage} isGuided={isGuided} />
    );
  return (
    <>
      {(deployments.error === null || statuses !== undefined) && (
        <StateLine orgId={orgId} statuses={statuses} />
      )}
      <Limit orgId={orgId} />
      {guide === undefined ? (
        <>
          {figures(false)}
          {cards}
        </>
      ) : (
        <QuickstartGuide
          orgId={orgId}
          status={guide}
          environments={environments.data}
          calls={calls}
          hasFailed={[environments, usage].some(({ data, error }) => data === undefined && error !== null)}
          figures={figures}
          rest={cards}
          skeleton={<FiguresSkeleton orgId={orgId} />}
        />
      )}
    </>
  );
}

function OverviewSkeleton({ orgId }: { orgId: string }) {
  return (
    <>
      <StateLine orgId={orgId} statuses={undefined} />
      <FiguresSkeleton orgId={orgId} />
    </>
  );
}

function FiguresSkeleton({ orgId }: { orgId: string }) {
  return (
    <>
      <UsageTiles items={undefined} limit={undefined} now={0} />
      <Skeleton height={340} radius="md" />
      <div className={classes.pair}>
        <ApiKeysCard orgId={orgId} environments={undefined} />
        <VersionOverviewCard orgId={orgId} environments={undefined} />
      </div>
    </>
  );
}

interface CardsProps {
  readonly orgId: string;
  readonly environments: UseQueryResult<readonly Environment[]>;
  readonly deployments: UseQueryResult<{ readonly environments: readonly EnvironmentStatus[] }>;
}

function Cards({ orgId, environments, deployments }: CardsProps) {
  return (
    <div className={classes.pair}>
      {environments.error !== null && environments.data === undefined ? (
        <ErrorState
          title="The environments could not be loaded"
          error={environments.error}
          onRetry={environments.refetch}
        />
      ) : (
        <ApiKeysCard orgId={orgId} environments={environments.data} />
      )}
      {deployments.error && deployments.data === undefined ? (
        <ErrorState
          title="The deployments could not be loaded"
          error={deployments.error}
          onRetry={deployments.refetch}
        />
      ) : (
        <VersionOverviewCard orgId={orgId} environments={deployments.data?.environments} />
      )}
    </div>
  );
}

function Limit({ orgId }: { orgId: string }) {
  const { data: summary } = useQuery(organisationSummaryQuery(orgId));
  const usage = useQuery(usageQuery(orgId));
  if (summary === undefined || (usage.error !== null && usage.data === undefined)) return null;
  return (
    <LimitNotice
      blockReason={summary.blockReason}
      used={usage.data === undefined ? 0 : totalOf(usage.data.items)}
      limit={summary.visibleTotalMonthlyRequestLimit ?? null}
      now={toServerTime(usage.dataUpdatedAt)}
      action={
        <Button component={Link} to={paths.billing(orgId)} variant="default" mt={10}>
          View Plan & Billing
        </Button>
      }
    />
  );
}

interface UsageProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  /** Whether the month has requests. */
  readonly hasUsage: boolean;
  /** Whether the quick start's guide, which says how to get there, is above. */
  readonly isGuided: boolean;
}

function Usage({ orgId, environments, hasUsage, isGuided }: UsageProps) {
  const usage = useQuery(usageQuery(orgId));
  const { data: summary, isError: hasSummaryFailed } = useQuery(organisationSummaryQuery(orgId));
  const items = usage.data?.items;
  const now = toServerTime(usage.dataUpdatedAt);
  if (usage.error && items === undefined) {
    return <ErrorState title="The usage could not be loaded" error={usage.error} onRetry={usage.refetch} />;
  }
  return (
    <>
      <UsageTiles
        items={items}
        limit={summary?.visibleTotalMonthlyRequestLimit}
        hasLimitFailed={hasSummaryFailed && summary === undefined}
        now={now}
      />
      {hasUsage ? (
        <DashboardActivity orgId={orgId} items={items} environments={environments} now={now} />
      ) : (
        items !== undefined && !isGuided && <NoUsage orgId={orgId} environments={environments} />
      )}
    </>
  );
}

/** Shown when everything is set up but the month has no requests. */
function NoUsage({ orgId, environments }: Pick<UsageProps, 'orgId' | 'environments'>) {
  const target = environments?.find(({ type }) => type !== 'preview') ?? environments?.[0];
  return (
    <EmptyState
      title="No API calls yet this month"
      action={
        target && (
          <Button
            component={Link}
            variant="default"
            to={paths.environment(orgId, target.id, 'keys')}
            rightSection={<IconArrowRight size={15} aria-hidden />}
          >
            {target.name} API keys
          </Button>
        )
      }
    >
      Call <code>POST /api/v1/access-checks</code> with an API key. Each day’s API calls appear here, per
      environment.
    </EmptyState>
  );
}
