/**
 * / and /o/{orgId}/: what runs where, the guide for a new organisation, the month's usage, the latest decisions, and cards for
 * API keys and versions.
 */
import { Button, SimpleGrid } from '@mantine/core';
import { IconArrowRight, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Environment } from '#contracts/console/environments';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { VersionOverviewCard } from '#web/domains/environments/deployments/version-overview-card.tsx';
import { ApiKeysCard } from '#web/domains/environments/keys/api-keys-card.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { StateLine } from '#web/domains/environments/versions/state-line.tsx';
import { isDeployed } from '#web/domains/quickstart/is-deployed.ts';
import { LimitNotice } from '#web/domains/usage/limit-notice.tsx';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { totalOf } from '#web/domains/usage/sum-usage.ts';
import { UsageTiles } from '#web/domains/usage/usage-tiles.tsx';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { organisationSummaryQuery } from '#web/session/queries.ts';
import { useSession } from '#web/session/session.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Page } from '#web/ui/page.tsx';
import classes from './dashboard.module.css';

const QuickstartGuide = lazy(async () => ({
  default: (await import('./quickstart-guide.tsx')).QuickstartGuide,
}));

/** Loaded on demand, because the dashboard is the first screen. */
const UsagePanel = lazy(async () => ({
  default: (await import('#web/domains/usage/usage-panel.tsx')).UsagePanel,
}));
const NearLimitCard = lazy(async () => ({
  default: (await import('#web/domains/metrics/near-limit.tsx')).NearLimitCard,
}));
const LatestDecisionsCard = lazy(async () => ({
  default: (await import('#web/domains/live/latest-decisions-card.tsx')).LatestDecisionsCard,
}));

/** As high as the panel. An organisation without usage never loads it. */
const usagePlaceholder = <div className="card" style={{ height: 310 }} />;

export function DashboardPage() {
  const { user } = useSession();
  const { orgId, name, isLoading, error, retry } = useOrganisation();
  return (
    <Page
      title={`Welcome, ${user?.name ?? ''}`}
      subtitle={orgId === null ? undefined : `How ${name ?? 'your organisation'} is doing this month.`}
      crumbs={[{ label: 'Dashboard' }]}
    >
      {orgId !== null ? (
        <Overview key={orgId} orgId={orgId} />
      ) : error !== null ? (
        <ErrorState title="Your organisations could not be loaded" error={error} onRetry={retry} />
      ) : (
        !isLoading && <FirstOrganisation />
      )}
    </Page>
  );
}

function Overview({ orgId }: { orgId: string }) {
  const { data: environments, error, refetch } = useQuery(environmentsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  return (
    <>
      {(deployments.error === null || deployments.data !== undefined) && (
        <StateLine orgId={orgId} statuses={deployments.data?.environments} />
      )}
      {/* The charts need the environments. If those fail to load, the card below shows the error. */}
      {(error === null || environments !== undefined) && <Usage orgId={orgId} environments={environments} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={16} style={{ alignItems: 'start' }}>
        {error !== null && environments === undefined ? (
          <ErrorState
            title="The environments could not be loaded"
            error={error}
            onRetry={() => void refetch()}
          />
        ) : (
          <ApiKeysCard orgId={orgId} environments={environments} />
        )}
        {deployments.error && deployments.data === undefined ? (
          <ErrorState
            title="The deployments could not be loaded"
            error={deployments.error}
            onRetry={() => void deployments.refetch()}
          />
        ) : (
          <VersionOverviewCard orgId={orgId} environments={deployments.data?.environments} />
        )}
      </SimpleGrid>
    </>
  );
}

interface UsageProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
}

function Usage({ orgId, environments }: UsageProps) {
  const usage = useQuery(usageQuery(orgId));
  const { data: summary, isError: hasSummaryFailed } = useQuery(organisationSummaryQuery(orgId));
  const items = usage.data?.items;
  const now = usage.dataUpdatedAt;
  const used = items === undefined ? undefined : totalOf(items);
  const deployments = useQuery(deploymentStatusQuery(orgId)).data?.environments;
  if (usage.error && items === undefined) {
    return (
      <ErrorState
        title="The usage could not be loaded"
        error={usage.error}
        onRetry={() => void usage.refetch()}
      />
    );
  }
  const limit = summary?.visibleTotalMonthlyRequestLimit;
  const notice = summary && (
    <LimitNotice
      blockReason={summary.blockReason}
      used={used ?? 0}
      limit={limit ?? null}
      now={now}
      action={
        <Button component={Link} to={paths.billing(orgId)} variant="default" mt={10}>
          View Plan & Billing
        </Button>
      }
    />
  );
  const figures = (
    <>
      <UsageTiles
        items={items}
        limit={limit}
        hasLimitFailed={hasSummaryFailed && summary === undefined}
        now={now}
      />
      {used === undefined ? (
        usagePlaceholder
      ) : used === 0 ? (
        <NoUsage orgId={orgId} environments={environments} />
      ) : (
        <Suspense fallback={usagePlaceholder}>
          <UsagePanel items={items} environments={environments} now={now} />
        </Suspense>
      )}
    </>
  );
  const status = summary?.quickstartStatus;
  const hasShipped = used !== undefined && used > 0 && deployments !== undefined && isDeployed(deployments);
  const needsGuide = status !== undefined && status !== 'dismissed' && !(status === 'finished' && hasShipped);
  return (
    <>
      {notice}
      {needsGuide ? (
        <Suspense fallback={used !== 0 && figures}>
          <QuickstartGuide orgId={orgId} status={status} environments={environments} used={used}>
            {figures}
          </QuickstartGuide>
        </Suspense>
      ) : (
        figures
      )}
      {used !== undefined && used > 0 && (
        <div className={classes.activity}>
          <Suspense fallback={<div className="card" style={{ height: 310 }} />}>
            <LatestDecisionsCard orgId={orgId} />
          </Suspense>
          <Suspense fallback={<div className="card" style={{ height: 310 }} />}>
            <NearLimitCard orgId={orgId} />
          </Suspense>
        </div>
      )}
    </>
  );
}

/** Shown when everything is set up but the month has no requests. */
function NoUsage({ orgId, environments }: UsageProps) {
  const target = environments?.find(({ type }) => type !== 'preview') ?? environments?.[0];
  return (
    <EmptyState
      title="No requests yet this month"
      action={
        target && (
          <Button
            component={Link}
            variant="default"
            to={paths.environment(orgId, target.id, 'keys')}
            rightSection={<IconArrowRight size={15} aria-hidden />}
          >
            Keys of {target.name}
          </Button>
        )
      }
    >
      Call <code>POST /api/v1/access-checks</code> with an API key. Each day’s requests appear here, per
      environment.
    </EmptyState>
  );
}

function FirstOrganisation() {
  return (
    <EmptyState
      title="Create your first organisation"
      action={
        <Button
          component={Link}
          to={paths.createOrganisation}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          Create organisation
        </Button>
      }
    >
      An organisation contains one product’s features, plans and environments. If your team already has one,
      ask a teammate to invite you. It will appear at the top of this page.
    </EmptyState>
  );
}
