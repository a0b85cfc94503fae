/** The dashboard's overview of what is deployed where. */
import { Button, Skeleton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/artifacts';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/section.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import classes from './environments.module.css';
import { runningVersion } from './running-version.ts';

export interface VersionOverviewCardProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly environments: readonly EnvironmentStatus[] | undefined;
}

/** As many as stand beside the other card without dwarfing it. */
const SHOWN = 8;

export function VersionOverviewCard({ orgId, environments }: VersionOverviewCardProps) {
  return (
    <Section
      title="Version & Deployment Overview"
      description="What each environment runs. Preview follows your changes by itself."
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
      <div className={classes.rows}>
        {environments === undefined
          ? [1, 2, 3].map((row) => (
              <div key={row} className={classes.row}>
                <Skeleton height={14} width="40%" />
              </div>
            ))
          : environments.slice(0, SHOWN).map((status) => (
              <div key={status.environmentId} className={classes.row}>
                <span className={classes.rowName}>{status.environmentName}</span>
                <span className={classes.version}>{runningVersion(status)}</span>
                <DeploymentTile display={displayOf(status)} />
              </div>
            ))}
        {environments !== undefined && environments.length > SHOWN && (
          <Link to={paths.environments(orgId, 'environments')} className={classes.row}>
            Show all {environments.length} environments
          </Link>
        )}
      </div>
    </Section>
  );
}
