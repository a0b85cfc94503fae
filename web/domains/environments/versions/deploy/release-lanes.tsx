/**
 * What runs where, on one axis of versions: a lane per environment, and how far each is behind. With more environments than fit, those
 * that run the same version share a lane.
 */
import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatInstant } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import { displayOf } from '../../deployments/deployment-display.ts';
import { DeploymentTile } from '../../deployments/deployment-tile.tsx';
import { keepCount, readCount } from '../../deployments/kept-count.ts';
import { LocationProgress } from '../../deployments/location-progress.tsx';
import { runningVersion } from '../../deployments/running-version.ts';
import { environmentsQuery } from '../../queries.ts';
import { toComparison } from '../to-changes.ts';
import { moveOf, reasonAgainstMove } from '../version-move.ts';
import type { Move } from './deploy-part.tsx';
import { behindLabel, type Lane, lanesOf, MAX_LANES, placeOf, shownVersions } from './lanes-of.ts';
import classes from './release-lanes.module.css';
import { RollBackButton } from './roll-back.tsx';

export interface ReleaseLanesProps {
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
  /** Newest first. Undefined while loading. */
  readonly versions: readonly Artifact[] | undefined;
  readonly onMove: (move: Move) => void;
}

export function ReleaseLanes({ statuses, versions, onMove }: ReleaseLanesProps) {
  const orgId = useOrgId();
  const count = statuses?.length ?? 0;
  useEffect(() => {
    if (count > 0) keepCount(orgId, count);
  }, [orgId, count]);
  if (statuses === undefined || versions === undefined) return <LoadingLanes />;
  const shown = shownVersions(versions);
  return (
    <div className={classes.lanes}>
      <Axis versions={shown} hasOlder={shown.length < versions.length} />
      <ul className="list divided" aria-label="What runs where">
        {lanesOf(statuses).map((lane) => (
          <LaneRow key={lane.key} lane={lane} versions={versions} shown={shown} onMove={onMove} />
        ))}
      </ul>
    </div>
  );
}

function Axis({ versions, hasOlder }: { versions: readonly Artifact[]; hasOlder: boolean }) {
  const orgId = useOrgId();
  return (
    <div className={`${classes.lane} ${classes.axis}`}>
      <span className="muted tiny">
        {versions.length === 0
          ? 'No version yet'
          : hasOlder
            ? `Last ${versions.length} versions`
            : 'Versions'}
      </span>
      <span className={classes.track}>
        {versions.map((version) => (
          <Hint
            key={version.artifactId}
            label={[version.note, `Created ${formatInstant(version.createdAt)}`].filter(Boolean).join(' · ')}
          >
            <Anchor
              component={Link}
              to={`${paths.environments(orgId, 'changes')}?version=${version.artifactNumber}`}
              size="xs"
              className={classes.number}
            >
              {`v${version.artifactNumber}`}
            </Anchor>
          </Hint>
        ))}
      </span>
    </div>
  );
}

interface LaneRowProps extends Pick<ReleaseLanesProps, 'onMove'> {
  readonly lane: Lane;
  readonly versions: readonly Artifact[];
  /** Those on the axis, oldest first. */
  readonly shown: readonly Artifact[];
}

function LaneRow({ lane, versions, shown, onMove }: LaneRowProps) {
  const orgId = useOrgId();
  const { first, environments } = lane;
  const [newest] = versions;
  const isAlone = environments.length === 1;
  const isPreview = first.environmentType === 'preview';
  const behind = isPreview ? null : behindLabel(first, versions);
  const canDeploy =
    isAlone && !isPreview && newest !== undefined && reasonAgainstMove(newest, first) === null;
  const display = displayOf(first);
  return (
    <li className={classes.lane}>
      <Stack gap={4} miw={0}>
        {isAlone ? (
          <Link to={paths.environment(orgId, first.environmentId)} className={classes.environment}>
            <span className="bold breaks">{first.environmentName}</span>
            <Text span fz="sm" ff="monospace">
              {runningVersion(first)}
            </Text>
            <span className={classes.state} aria-live="polite">
              <DeploymentTile display={display} />
              {display === 'deploying' && first.deployInProgress ? (
                <LocationProgress locations={first.locations} />
              ) : (
                display === 'deployed' &&
                first.lastDeployedAt !== null && (
                  <span className="faint">
                    <Age at={first.lastDeployedAt} />
                  </span>
                )
              )}
            </span>
          </Link>
        ) : (
          <>
            <span className="bold">{`${environments.length} environments · ${runningVersion(first)}`}</span>
            <span className={classes.names}>
              {environments.map(({ environmentId, environmentName }) => (
                <Anchor
                  key={environmentId}
                  component={Link}
                  to={paths.environment(orgId, environmentId)}
                  className="breaks"
                >
                  {environmentName}
                </Anchor>
              ))}
            </span>
          </>
        )}
      </Stack>
      <Track lane={lane} shown={shown} onMove={onMove} />
      <div className={classes.actions}>
        <span className={behind?.isBehind ? classes.behind : 'muted small'}>
          {isPreview ? 'Follows every save' : behind?.text}
        </span>
        {isAlone && behind?.isBehind && newest !== undefined && (
          <Anchor
            component={Link}
            size="sm"
            to={toComparison(orgId, newest.artifactNumber, first)}
            aria-label={`Review what v${newest.artifactNumber} changes in ${first.environmentName}`}
          >
            Review
          </Anchor>
        )}
        {canDeploy && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Deploy v${newest.artifactNumber} to ${first.environmentName}`}
            onClick={() => onMove({ version: newest, chosen: first })}
          >
            {`Deploy v${newest.artifactNumber}`}
          </Button>
        )}
        {isAlone && !isPreview && (
          <RollBackButton status={first} versions={versions} onMove={onMove} size="compact-sm" />
        )}
      </div>
    </li>
  );
}

/** For the pointer: whoever has none finds the same moves in the table below. */
function Track({ lane: { first, environments }, shown, onMove }: Omit<LaneRowProps, 'versions'>) {
  const isPreview = first.environmentType === 'preview';
  const running = placeOf(first, shown);
  const canMove = environments.length === 1 && !isPreview;
  return (
    <span className={classes.track} aria-hidden data-preview={isPreview || undefined}>
      {shown.map((version, place) => {
        const { label } = moveOf(version.artifactNumber, first.artifactNumber, first.environmentName);
        return (
          <button
            key={version.artifactId}
            type="button"
            tabIndex={-1}
            className={classes.dot}
            data-reached={place <= running || undefined}
            data-running={place === running || undefined}
            title={canMove && place !== running ? label : `v${version.artifactNumber}`}
            disabled={!canMove || reasonAgainstMove(version, first) !== null}
            onClick={() => onMove({ version, chosen: first })}
          />
        );
      })}
    </span>
  );
}

function LoadingLanes() {
  const orgId = useOrgId();
  const known = useQueryClient().getQueryData(environmentsQuery(orgId).queryKey);
  // Every organisation has the preview environment.
  const count = Math.min(known?.length ?? readCount(orgId) ?? 1, MAX_LANES);
  return (
    <div className={classes.lanes}>
      <div className={`${classes.lane} ${classes.axis}`}>
        <Skeleton height={12} width={80} />
      </div>
      <ul className="list divided" aria-label="What runs where" aria-busy="true">
        {Array.from({ length: count }, (_, index) => index).map((index) => (
          <li key={index} className={classes.lane}>
            <Skeleton height={14} width={160} />
            <Skeleton height={14} width="60%" />
          </li>
        ))}
      </ul>
    </div>
  );
}
