/** The environments that run a version, as chips. */
import { Box, Flex, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { Hint } from '#web/ui/labels/hint.tsx';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { displayOf } from '../../deployments/deployment-display.ts';
import classes from '../versions.module.css';

export interface DeployedToProps {
  readonly version: Artifact;
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
}

/** Chips beyond this number collapse into a count with a tooltip: a version can run in dozens of environments. */
const MOST_NAMED = 2;

export function DeployedTo({ version, statuses = [] }: DeployedToProps) {
  const running = statuses.filter(({ artifactId }) => artifactId === version.artifactId);
  if (running.length === 0) return <span className={`faint ${classes.nowhere}`}>–</span>;
  const isFolded = running.length > MOST_NAMED + 1;
  const named = isFolded ? running.slice(0, MOST_NAMED) : running;
  const rest = running.slice(named.length).map(({ environmentName }) => environmentName);
  return (
    <Flex component="span" gap="4px 6px" wrap="wrap">
      {named.map((status) => (
        <Chip key={status.environmentId}>
          {displayOf(status) === 'deploying' ? (
            <Loader size={9} aria-label="updating" />
          ) : (
            <Box component="span" flex="none" w={8} h={8} bdrs={2} bg="var(--allowed)" />
          )}
          <Box component="span" style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {status.environmentName}
          </Box>
        </Chip>
      ))}
      {isFolded && (
        <Hint label={rest.join(', ')}>
          <Chip>
            {`+${rest.length}`}
            <VisuallyHidden>{` more: ${rest.join(', ')}`}</VisuallyHidden>
          </Chip>
        </Hint>
      )}
    </Flex>
  );
}

/** Accepts the ref and the listeners of a Hint around it. */
function Chip(props: ComponentProps<'span'>) {
  return (
    <Box
      {...props}
      component="span"
      fz="xs"
      maw="min(220px, 100%)"
      h={22}
      px={8}
      className="chip inline-row nowrap gap-6"
    />
  );
}
