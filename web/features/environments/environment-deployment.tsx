/** What an environment runs, and whether every data location has it. */

import { Button, Skeleton, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/artifacts';
import type { Environment } from '#contracts/environments';
import { locationName } from '#engine/regions/data-locations';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Section } from '../../ui/section.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import classes from './environments.module.css';
import { LastDeployed } from './environments-panel.tsx';
import { deploymentStatusQuery } from './queries.ts';
import { runningVersion } from './running-version.ts';

export function EnvironmentDeployment({ orgId, environment }: { orgId: string; environment: Environment }) {
  const { data, error, refetch } = useQuery(deploymentStatusQuery(orgId));
  const status = data?.environments.find(({ environmentId }) => environmentId === environment.id);
  const isPreview = environment.type === 'preview';
  if (error !== null && data === undefined) {
    return (
      <ErrorState title="The deployment could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <Section
      title="Deployment"
      description={
        isPreview
          ? 'Follows your features and plans by itself, as you edit them.'
          : 'What access checks are answered by.'
      }
      footer={
        <Button
          component={Link}
          variant="default"
          to={paths.environments(orgId, isPreview ? 'changes' : 'versions')}
          rightSection={<IconArrowRight size={15} aria-hidden />}
        >
          {isPreview ? 'View changes' : 'Deploy a version'}
        </Button>
      }
    >
      {status === undefined ? <Skeleton height={44} /> : <Facts orgId={orgId} status={status} />}
    </Section>
  );
}

function Facts({ orgId, status }: { orgId: string; status: EnvironmentStatus }) {
  return (
    <div className={classes.facts}>
      <dl className={classes.factList}>
        <div>
          <dt>Version</dt>
          <dd className={classes.version}>{runningVersion(status)}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <DeploymentTile display={displayOf(status)} />
          </dd>
        </div>
        <div>
          <dt>Last deployed</dt>
          <dd>
            <LastDeployed orgId={orgId} environment={status} />
          </dd>
        </div>
      </dl>
      {status.artifactId !== null && (
        <div>
          <Text c="dimmed" size="sm" mb={6}>
            Data locations
          </Text>
          <ul className={classes.locations} aria-live="polite">
            {status.locations.map(({ location, isUpToDate }) => (
              <li key={location} className={classes.location}>
                <span className={classes.locationTile} data-done={isUpToDate || undefined} />
                {locationName(location)}
                <span className={classes.faint}>{isUpToDate ? 'up to date' : 'updating'}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
