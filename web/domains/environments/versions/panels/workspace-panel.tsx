/**
 * The popover of the top bar's chip: the changes that are in no version yet, 'Create New Version', and the environments that
 * do not run the newest version.
 */
import { Anchor, Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Artifact, DiffItem, EnvironmentStatus } from '#contracts/console/artifacts';
import { paths } from '#web/paths.ts';
import { counted } from '#web/ui/format.ts';
import { displayLabel, displayOf } from '../../deployments/deployment-display.ts';
import { LocationProgress } from '../../deployments/location-progress.tsx';
import { deploymentStatusQuery } from '../../deployments/queries.ts';
import { runningVersion } from '../../deployments/running-version.ts';
import { countsLabel, groupDiff } from '../diff/group-diff.ts';
import { artifactsQuery, lastDiffQuery } from '../queries.ts';
import { toChanges } from '../to-changes.ts';
import { CreateVersion } from './create-version.tsx';
import classes from './workspace-panel.module.css';

/** Groups of changes shown before '… more'. */
const SHOWN_GROUPS = 5;

export interface WorkspacePanelProps {
  readonly orgId: string;
  /** A link was followed. */
  readonly onLeave: () => void;
  readonly onDeploy: (version: Artifact, environment: EnvironmentStatus) => void;
}

export function WorkspacePanel({ orgId, onLeave, onDeploy }: WorkspacePanelProps) {
  const versions = useQuery(artifactsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const statuses = deployments.data?.environments;
  const newest = versions.data?.[0];
  const failed = [versions, deployments].filter(({ data, error }) => data === undefined && error !== null);
  const preview = statuses?.find(({ environmentType }) => environmentType === 'preview');
  const deployable = statuses?.filter(({ environmentType }) => environmentType === 'deployable');
  return (
    <>
      <section className={classes.part} aria-label="Changes">
        <Changes
          orgId={orgId}
          newest={newest}
          deployable={deployable ?? (deployments.error === null ? undefined : [])}
          areVersionsKnown={versions.data !== undefined}
          onLeave={onLeave}
        >
          {preview && displayLabel(preview.environmentName, displayOf(preview))}
        </Changes>
      </section>
      <section className={classes.part} aria-label="Deploy">
        <Box component="h2" fz="md" className="flush bold">
          Deploy
        </Box>
        {failed.length > 0 ? (
          <Failed onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))}>
            The environments could not be loaded
          </Failed>
        ) : (
          <Environments
            orgId={orgId}
            newest={newest}
            environments={versions.data && deployable}
            onLeave={onLeave}
            onDeploy={onDeploy}
          />
        )}
      </section>
    </>
  );
}

function Failed({ onRetry, children }: { readonly onRetry: () => unknown; readonly children: string }) {
  return (
    <Group gap={12} wrap="nowrap" justify="space-between" role="alert">
      <span className="muted">{children}</span>
      <Button variant="default" size="xs" onClick={() => onRetry()}>
        Try again
      </Button>
    </Group>
  );
}

interface NewestProps extends Pick<WorkspacePanelProps, 'orgId' | 'onLeave'> {
  readonly newest: Artifact | undefined;
}

interface ChangesProps extends NewestProps {
  /** Otherwise `newest` says nothing. */
  readonly areVersionsKnown: boolean;
  /** Undefined while loading. */
  readonly deployable: readonly EnvironmentStatus[] | undefined;
  readonly children: ReactNode;
}

function Changes({ orgId, newest, areVersionsKnown, deployable, onLeave, children }: ChangesProps) {
  const { data, error, refetch } = useQuery(lastDiffQuery(orgId));
  if (data === undefined && error !== null) {
    return <Failed onRetry={refetch}>Unable to calculate changes</Failed>;
  }
  return (
    <>
      <Group gap={12} wrap="nowrap" justify="space-between">
        <Box component="h2" fz="md" className="flush bold">
          {data === undefined || !areVersionsKnown
            ? 'Workspace'
            : summaryOf(data.items, newest?.artifactNumber ?? null)}
          <Text span display="block" c="dimmed" fz="sm" fw={400}>
            {children}
          </Text>
        </Box>
        {data !== undefined && deployable !== undefined && (
          <Anchor component={Link} to={toChanges(orgId, data, deployable)} size="sm" onClick={onLeave}>
            Review
          </Anchor>
        )}
      </Group>
      {data === undefined ? <Skeleton height={48} /> : <ChangedGroups items={data.items} />}
      <CreateVersion orgId={orgId} isDeployOffered={false} onLeave={onLeave} />
    </>
  );
}

function summaryOf(items: readonly DiffItem[], newest: number | null): string {
  if (items.length > 0)
    return newest === null
      ? counted(items.length, 'change')
      : `${counted(items.length, 'change')} since v${newest}`;
  return newest === null ? 'No changes yet' : `The workspace matches v${newest}`;
}

function ChangedGroups({ items }: { items: readonly DiffItem[] }) {
  const groups = groupDiff(items);
  if (groups.length === 0) return null;
  return (
    <ul className={`list column small gap-6 ${classes.groups}`}>
      {groups.slice(0, SHOWN_GROUPS).map(({ id, kind, name, counts }) => (
        <li key={`${kind} ${id}`}>
          <span className="truncate">{name}</span>
          <span className="faint rigid">{kind}</span>
          <Box component="span" ml="auto" className="muted tiny figures rigid">
            {countsLabel(counts)}
          </Box>
        </li>
      ))}
      {groups.length > SHOWN_GROUPS && <li className="muted">{`${groups.length - SHOWN_GROUPS} more`}</li>}
    </ul>
  );
}

interface EnvironmentsProps extends NewestProps, Pick<WorkspacePanelProps, 'onDeploy'> {
  /** Undefined while loading. */
  readonly environments: readonly EnvironmentStatus[] | undefined;
}

function Environments({ orgId, newest, environments, onLeave, onDeploy }: EnvironmentsProps) {
  if (environments === undefined) return <Skeleton height={32} />;
  if (environments.length === 0) {
    return (
      <Anchor
        component={Link}
        to={paths.environments(orgId, 'environments')}
        size="sm"
        onClick={onLeave}
        className="inline-row gap-6"
      >
        Add an environment to deploy to <IconArrowRight size={14} aria-hidden />
      </Anchor>
    );
  }
  return (
    <>
      {newest === undefined && (
        <Text size="sm" c="dimmed">
          Create a version first. Environments run versions.
        </Text>
      )}
      <ul className={classes.environments}>
        {environments.map((status) => (
          <li key={status.environmentId}>
            <span className="truncate fill">{status.environmentName}</span>
            {displayOf(status) === 'deploying' ? (
              <LocationProgress locations={status.locations} />
            ) : (
              <span className="muted small mono">{runningVersion(status)}</span>
            )}
            {newest !== undefined && status.artifactId !== newest.artifactId && (
              <Button
                variant="default"
                size="compact-sm"
                className={classes.deploy}
                disabled={displayOf(status) === 'deploying'}
                aria-label={`Deploy v${newest.artifactNumber} to ${status.environmentName}`}
                onClick={() => onDeploy(newest, status)}
              >
                {`Deploy v${newest.artifactNumber}`}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
