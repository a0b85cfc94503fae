/** Dashboard card: the running version of each environment. */
import { Button, Skeleton, Stack } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { paths } from '#web/paths.ts';
import { Section } from '#web/ui/page/section.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import classes from './deployments.module.css';
import { runningVersion } from './running-version.ts';

export interface VersionOverviewCardProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly environments: readonly EnvironmentStatus[] | undefined;
}

/** Keeps the card about as tall as the one beside it. */
const SHOWN = 8;

export function VersionOverviewCard({ orgId, environments }: VersionOverviewCardProps) {
  return (
    <Section
      title="Version & Deployment Overview"
      description="The version that each environment runs. Preview always has your latest changes."
      isFlush
      footer={
        <Button
          component={Link}
          variant="default"
          to={paths.environments(orgId, 'changes')}
          rightSection={<IconArrowRight size={15} aria-hidden />}
        >
          View changes
        </Button>
      }
    >
      <Stack gap={0} className="divided">
        {environments === undefined
          ? [1, 2, 3].map((row) => (
              <div key={row} className={classes.row}>
                <Skeleton height={14} width="40%" />
              </div>
            ))
          : environments.slice(0, SHOWN).map((status) => (
              <div key={status.environmentId} className={classes.row}>
                <span className="truncate fill medium">{status.environmentName}</span>
                <span className="muted small mono">{runningVersion(status)}</span>
                <DeploymentTile display={displayOf(status)} />
              </div>
            ))}
        {environments !== undefined && environments.length > SHOWN && (
          <Link to={paths.environments(orgId, 'environments')} className={classes.row}>
            Show all {environments.length} environments
          </Link>
        )}
      </Stack>
    </Section>
  );
}
