/** The deployment section of an environment's page: its version, and which data locations serve it. */
import { Box, Button, Flex, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import { locationName } from '#engine/regions/data-locations';
import { paths } from '#web/paths.ts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import classes from './deployments.module.css';
import { locationState } from './location-progress.tsx';
import { deploymentStatusQuery } from './queries.ts';
import { runningVersion } from './running-version.ts';

export interface EnvironmentDeploymentProps {
  readonly environmentId: string;
  /** The button that returns it to an earlier version. */
  readonly rollBack: ReactNode;
}

export function EnvironmentDeployment({ environmentId, rollBack }: EnvironmentDeploymentProps) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(deploymentStatusQuery(orgId));
  const status = data?.environments.find((each) => each.environmentId === environmentId);
  const isPreview = status?.environmentType === 'preview';
  if (error !== null && data === undefined) {
    return <ErrorState title="The deployment could not be loaded" error={error} onRetry={refetch} />;
  }
  return (
    <Section
      title="Deployment"
      description={
        isPreview ? 'Always runs your latest features and plans.' : 'The version that access checks use.'
      }
      footer={
        <Group gap={8}>
          <Button
            component={Link}
            variant="default"
            to={paths.environments(orgId, isPreview ? 'changes' : 'versions')}
            rightSection={<IconArrowRight size={15} aria-hidden />}
          >
            {isPreview ? 'View changes' : 'Deploy a version'}
          </Button>
          {!isPreview && rollBack}
        </Group>
      }
    >
      {status === undefined ? <Skeleton height={44} /> : <Facts status={status} />}
    </Section>
  );
}

function Facts({ status }: { status: EnvironmentStatus }) {
  return (
    <Stack gap={20}>
      <dl className={classes.factList}>
        <div>
          <dt>Version</dt>
          <dd className="muted small mono">{runningVersion(status)}</dd>
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
            <LastDeployed environment={status} />
          </dd>
        </div>
      </dl>
      {status.artifactId !== null && (
        <div>
          <Text c="dimmed" size="sm" mb={6}>
            Regions
          </Text>
          <Box
            component="ul"
            fz="sm"
            className="list grid"
            style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))', gap: '6px 24px' }}
            aria-live="polite"
          >
            {status.locations.map(({ location, isUpToDate, failedAt }) => (
              <Flex key={location} component="li" align="center" gap={8}>
                <span
                  className={classes.locationTile}
                  data-done={isUpToDate || undefined}
                  data-failed={failedAt !== null || undefined}
                />
                {locationName(location)}
                <span className="faint">{locationState({ isUpToDate, failedAt })}</span>
              </Flex>
            ))}
          </Box>
        </div>
      )}
    </Stack>
  );
}

interface LastDeployedProps {
  readonly environment: Pick<Environment, 'lastDeployedAt' | 'lastDeployedByUserId'>;
}

/** The preview environment deploys itself, so no member is named there. */
export function LastDeployed({ environment }: LastDeployedProps) {
  const orgId = useOrgId();
  const { lastDeployedAt, lastDeployedByUserId } = environment;
  if (lastDeployedAt === null) return <span className="faint">never</span>;
  return (
    <span>
      <Age at={lastDeployedAt} />
      {lastDeployedByUserId !== null && (
        <>
          {' '}
          <Box component="span" display="inline-block" maw="100%" style={{ overflowWrap: 'anywhere' }}>
            by <MemberName orgId={orgId} userId={lastDeployedByUserId} />
          </Box>
        </>
      )}
    </span>
  );
}
