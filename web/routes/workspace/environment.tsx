/** /o/{orgId}/environments/environments/{environmentId}/{tabId}: one environment and its API keys. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import type { Environment } from '#contracts/console/environments';
import { isNotFound } from '#web/api/api-error.ts';
import { isSettled } from '#web/api/is-settled.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { DeleteEnvironment } from '#web/domains/environments/delete-environment.tsx';
import { EnvironmentDeployment } from '#web/domains/environments/deployments/environment-deployment.tsx';
import { EnvironmentForm } from '#web/domains/environments/environment-form.tsx';
import { EnvironmentTypeBadge } from '#web/domains/environments/environment-type-badge.tsx';
import { KeysPanel, KeysPanelSkeleton } from '#web/domains/environments/keys/keys-panel.tsx';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { environmentQuery } from '#web/domains/environments/queries.ts';
import { RollBack } from '#web/domains/environments/versions/deploy/roll-back.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

const TABS = [
  { id: 'manage', label: 'Manage' },
  { id: 'keys', label: 'API keys' },
] as const;

export function EnvironmentPage() {
  const orgId = useOrgId();
  const { environmentId = '', tabId = 'manage' } = useParams();
  const { data, error, refetch } = useQuery(environmentQuery(orgId, environmentId));
  const tab = TABS.find(({ id }) => id === tabId);
  if (tab === undefined) return <Navigate to={paths.environment(orgId, environmentId)} replace />;
  const isGone = isNotFound(error);
  return (
    <Page
      title={data?.name ?? 'Environment'}
      aside={
        !isGone && (
          <>
            {data === undefined ? (
              <Skeleton height={20} width={48} />
            ) : (
              <EnvironmentTypeBadge type={data.type} />
            )}
            <CopyId value={environmentId} label="environment ID" />
          </>
        )
      }
      subtitle={data?.description}
      parents={[{ label: 'Environments', to: paths.environments(orgId, 'environments') }]}
    >
      {isGone ? (
        <Gone />
      ) : (
        <>
          <TabLinks
            label="Environment"
            current={tab.id}
            tabs={TABS.map(({ id, label }) => ({
              id,
              label,
              to: paths.environment(orgId, environmentId, id),
            }))}
          />
          {data === undefined && error !== null ? (
            <ErrorState title="The environment could not be loaded" error={error} onRetry={refetch} />
          ) : tab.id === 'keys' ? (
            <Keys key={environmentId} environment={data} />
          ) : (
            <Manage key={environmentId} environmentId={environmentId} environment={data} />
          )}
        </>
      )}
    </Page>
  );
}

interface TabProps {
  /** Undefined while loading. */
  readonly environment: Environment | undefined;
}

function Keys({ environment }: TabProps) {
  return environment === undefined ? <KeysPanelSkeleton /> : <LoadedKeys environment={environment} />;
}

function LoadedKeys({ environment }: { readonly environment: Environment }) {
  const keys = useQuery(apiKeysQuery(useOrgId(), environment.id));
  return (
    <>
      <KeysPanel environment={environment} />
      {/* Where it is depends on how many keys there are. */}
      {isSettled(keys) && <ObjectHistory key={environment.id} target={environment.id} kind="api-key" />}
    </>
  );
}

function Manage({ environmentId, environment }: TabProps & { readonly environmentId: string }) {
  const isDeleted = useRef(false);
  return (
    <>
      <EnvironmentDeployment
        environmentId={environmentId}
        rollBack={<RollBack environmentId={environmentId} />}
      />
      <EnvironmentForm
        environmentId={environmentId}
        environment={environment}
        isGuarded={() => !isDeleted.current}
      />
      {environment !== undefined && (
        <>
          <ObjectHistory target={environmentId} />
          <DeleteEnvironment
            environment={environment}
            onDeleted={() => {
              isDeleted.current = true;
            }}
          />
        </>
      )}
    </>
  );
}

function Gone() {
  const orgId = useOrgId();
  return (
    <EmptyState
      title="Environment Deleted"
      action={
        <Button component={Link} to={paths.environments(orgId, 'environments')}>
          Go to environments
        </Button>
      }
    >
      This environment no longer exists. Its keys no longer work.
    </EmptyState>
  );
}
