/** / and /o/{orgId}/: a welcome, the month's usage, and the ways to keys and versions. */
import { Button, SimpleGrid } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ApiKeysCard } from '../features/environments/api-keys-card.tsx';
import { deploymentStatusQuery, environmentsQuery } from '../features/environments/queries.ts';
import { VersionOverviewCard } from '../features/environments/version-overview-card.tsx';
import { organisationSummaryQuery } from '../features/organisations/queries.ts';
import { usageQuery } from '../features/usage/queries.ts';
import { UsageTiles } from '../features/usage/usage-tiles.tsx';
import { paths } from '../paths.ts';
import { useOrganisation } from '../session/organisation.tsx';
import { useSession } from '../session/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';

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
  const usage = useQuery(usageQuery(orgId));
  const summary = useQuery(organisationSummaryQuery(orgId)).data;
  const environments = useQuery(environmentsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  return (
    <>
      {usage.error ? (
        <ErrorState
          title="The usage could not be loaded"
          error={usage.error}
          onRetry={() => void usage.refetch()}
        />
      ) : (
        <UsageTiles
          items={usage.data?.items}
          limit={summary?.visibleTotalMonthlyRequestLimit}
          now={usage.dataUpdatedAt}
        />
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={16}>
        <ApiKeysCard orgId={orgId} environments={environments.data} />
        {deployments.error ? (
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
      An organisation holds the features, plans and environments of one product. If a colleague has made yours
      already, ask for an invitation: it will appear at the top of this page.
    </EmptyState>
  );
}
