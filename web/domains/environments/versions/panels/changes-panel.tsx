/**
 * The diff from the last version to the workspace or, with `?version=`, from the previous version to that one. With `?environment=`, from
 * what that environment runs, and then also what known customers would gain and lose there, with the deployment. Without either, the
 * environment that lags most is named above.
 */
import { Box, Button, Flex, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Artifact, Diff, EnvironmentStatus } from '#contracts/console/artifacts';
import { isSettled } from '#web/api/is-settled.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { sentence } from '#web/ui/format.ts';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { deploymentStatusQuery } from '../../deployments/queries.ts';
import { DeployBar } from '../deploy/deploy-bar.tsx';
import { DeployPart, type Move, useMove } from '../deploy/deploy-part.tsx';
import { DiffList } from '../diff/diff-list.tsx';
import { DiffProblem } from '../diff/diff-problem.tsx';
import { DiffSkeleton } from '../diff/diff-skeleton.tsx';
import { countsLabel, countsOf } from '../diff/group-diff.ts';
import { ImpactSection } from '../impact/impact-section.tsx';
import { artifactsQuery, environmentDiffQuery, lastDiffQuery, versionDiffQuery } from '../queries.ts';
import { laggingOf, toComparison } from '../to-changes.ts';
import classes from './changes.module.css';
import { CreateVersion } from './create-version.tsx';
import { VersionCreated } from './version-created.tsx';

const WORKSPACE = 'workspace';
const PREVIOUS = 'previous';
const CHOICE = { flex: '1 1 220px', maw: { base: '100%', sm: 320 } };

export function ChangesPanel() {
  const orgId = useOrgId();
  const [search, changeParams] = useAddressParams();
  const { data: versions, error, refetch } = useQuery(artifactsQuery(orgId));
  // The dialog outlives the bar that opened it, which is gone once the environment runs the version.
  const [move, setMove] = useMove(orgId);
  const chosenNumber = search.get('version');
  const chosenAt = versions?.findIndex(({ artifactNumber }) => String(artifactNumber) === chosenNumber) ?? -1;
  const chosen = versions?.[chosenAt];
  const before = versions?.[chosenAt + 1];
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const environments = deployments.data?.environments.filter(
    ({ environmentType }) => environmentType === 'deployable',
  );
  const environment = environments?.find(({ environmentId }) => environmentId === search.get('environment'));
  if (versions === undefined && error !== null) return <DiffProblem error={error} onRetry={refetch} />;
  // The bar and the choices would move what is below.
  if (versions === undefined || !isSettled(deployments)) return <DiffSkeleton />;
  const [newest] = versions;
  const isAlone = chosen === undefined && environment === undefined;
  const [lagging] = isAlone ? laggingOf(newest?.artifactNumber ?? null, environments ?? []) : [];
  return (
    <Stack gap={16}>
      {newest !== undefined && lagging !== undefined && (
        <DeployBar
          environment={lagging}
          version={newest}
          onMove={setMove}
          review={toComparison(orgId, newest.artifactNumber, lagging)}
        />
      )}
      <Flex gap={16} wrap="wrap" align="end">
        {newest !== undefined && (
          <Select
            {...CHOICE}
            label="Show what changed"
            data={choicesOf(versions, environment === undefined)}
            value={chosen === undefined ? WORKSPACE : String(chosen.artifactNumber)}
            onChange={(value) => changeParams({ version: value === WORKSPACE ? null : value })}
            allowDeselect={false}
            searchable={versions.length > 10}
            checkIconPosition="right"
          />
        )}
        {newest !== undefined && environments !== undefined && environments.length > 0 && (
          <Select
            {...CHOICE}
            label="Compared with"
            data={basesOf(environments, chosen !== undefined)}
            value={environment?.environmentId ?? PREVIOUS}
            onChange={(value) => changeParams({ environment: value === PREVIOUS ? null : value })}
            allowDeselect={false}
            searchable={environments.length > 10}
            checkIconPosition="right"
          />
        )}
        <Box ml={{ base: 0, sm: 'auto' }}>
          <CreateVersion orgId={orgId} />
        </Box>
      </Flex>
      {chosen !== undefined && <AboutVersion version={chosen} />}
      {environment !== undefined ? (
        <EnvironmentChanges
          environment={environment}
          chosen={chosen ?? null}
          versions={versions}
          onMove={setMove}
        />
      ) : chosen === undefined ? (
        <WorkspaceChanges newest={newest ?? null} hasEnvironment={environments?.length !== 0} />
      ) : before === undefined ? (
        <EmptyState title="Nothing to compare with">
          {`Version ${chosen.artifactNumber} is the oldest version. There is nothing to compare it with.`}
        </EmptyState>
      ) : (
        <VersionChanges chosen={chosen} before={before} />
      )}
      <DeployPart orgId={orgId} move={move} onClose={() => setMove(null)} />
    </Stack>
  );
}

function AboutVersion({ version }: { version: Artifact }) {
  return (
    <Stack gap={4}>
      {version.note !== null && <p className={classes.note}>{version.note}</p>}
      <span className="muted small">
        Created <VersionCreated version={version} />
      </span>
    </Stack>
  );
}

/** @param isSinceBefore each is compared with the version before it */
function choicesOf(versions: readonly Artifact[], isSinceBefore: boolean) {
  const newest = versions[0]?.artifactNumber;
  return [
    {
      value: WORKSPACE,
      label: isSinceBefore ? `In the workspace, since version ${newest}` : 'In the workspace',
    },
    ...versions.map(({ artifactNumber }, index) => {
      const before = versions[index + 1]?.artifactNumber;
      const since = before === undefined || !isSinceBefore ? '' : `, since version ${before}`;
      return { value: String(artifactNumber), label: `In version ${artifactNumber}${since}` };
    }),
  ];
}

/** What the version may be compared with. Environments in their order in the console. */
function basesOf(environments: readonly EnvironmentStatus[], isVersion: boolean) {
  return [
    { value: PREVIOUS, label: isVersion ? 'The version before it' : 'The newest version' },
    ...environments.map(({ environmentId, environmentName, artifactNumber }) => ({
      value: environmentId,
      label: `${environmentName}, ${artifactNumber === null ? 'nothing deployed' : `v${artifactNumber}`}`,
    })),
  ];
}

interface EnvironmentChangesProps {
  readonly environment: EnvironmentStatus;
  /** Null: the workspace. */
  readonly chosen: Artifact | null;
  readonly versions: readonly Artifact[];
  readonly onMove: (move: Move) => void;
}

function EnvironmentChanges({ environment, chosen, versions, onMove }: EnvironmentChangesProps) {
  const orgId = useOrgId();
  const { environmentId, environmentName, artifactNumber } = environment;
  const { data, error, refetch } = useQuery(environmentDiffQuery(orgId, environmentId, chosen?.artifactId));
  if (data === undefined) {
    return error === null ? <DiffSkeleton /> : <DiffProblem error={error} onRetry={refetch} />;
  }
  const to = chosen === null ? 'the workspace' : `version ${chosen.artifactNumber}`;
  if (data.items.length === 0) {
    return <EmptyState title="No Changes">{sentence`${environmentName} runs ${to} already.`}</EmptyState>;
  }
  const from = artifactNumber === null ? environmentName : `${environmentName} v${artifactNumber}`;
  const version = chosen ?? versions.find(({ artifactId }) => artifactId === data.toArtifactId) ?? null;
  return (
    <>
      <DeployBar environment={environment} version={version} onMove={onMove} />
      {artifactNumber !== null && (
        <ImpactSection environmentId={environmentId} toArtifactId={chosen?.artifactId ?? null} />
      )}
      <Summarised diff={data} label={`from ${from} to ${to}.`} />
    </>
  );
}

interface WorkspaceChangesProps {
  /** Null: there is no version yet. */
  readonly newest: Artifact | null;
  /** There is an environment to deploy to. */
  readonly hasEnvironment: boolean;
}

function WorkspaceChanges({ newest, hasEnvironment }: WorkspaceChangesProps) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(lastDiffQuery(orgId));
  if (error !== null && data === undefined) return <DiffProblem error={error} onRetry={refetch} />;
  if (data === undefined) return <DiffSkeleton />;
  if (data.items.length === 0) return <NoChanges newest={newest} hasEnvironment={hasEnvironment} />;
  return (
    <Summarised
      diff={data}
      label={
        newest === null
          ? 'will be in your first version.'
          : `in the workspace since version ${newest.artifactNumber}. The preview environment already runs the workspace.`
      }
    />
  );
}

function VersionChanges({ chosen, before }: { readonly chosen: Artifact; readonly before: Artifact }) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(versionDiffQuery(orgId, before.artifactId, chosen.artifactId));
  if (data === undefined) {
    return error === null ? <DiffSkeleton /> : <DiffProblem error={error} onRetry={refetch} />;
  }
  if (data.items.length === 0) {
    return (
      <EmptyState title="No Changes">{`Versions ${before.artifactNumber} and ${chosen.artifactNumber} are identical.`}</EmptyState>
    );
  }
  return (
    <Summarised
      diff={data}
      label={`in version ${chosen.artifactNumber} since version ${before.artifactNumber}.`}
    />
  );
}

function Summarised({ diff, label }: { diff: Diff; label: string }) {
  return (
    <>
      <p className="flush muted">
        <strong className="strong bold">{countsLabel(countsOf(diff.items.map((item) => ({ item }))))}</strong>{' '}
        {label}
      </p>
      <DiffList key={`${diff.fromArtifactId} ${diff.toArtifactId}`} items={diff.items} />
    </>
  );
}

function NoChanges({ newest, hasEnvironment }: WorkspaceChangesProps) {
  const orgId = useOrgId();
  if (newest === null) {
    return (
      <EmptyState
        title="No Changes"
        example="Pro › Exports: 500 → 5,000"
        docs={<Link to={paths.apiDocsSection('access-checks')}>How your app reads features</Link>}
        action={
          <Button component={Link} to={paths.features(orgId)}>
            Go to features
          </Button>
        }
      >
        Changes to your features and plans appear here, ready to be frozen as a version and deployed.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No Changes"
      action={
        <Group gap={8} justify="center">
          {!hasEnvironment && (
            <Button component={Link} to={paths.environments(orgId, 'environments')}>
              Add an environment
            </Button>
          )}
          <Button component={Link} variant="default" to={paths.environments(orgId, 'versions')}>
            Go to versions
          </Button>
        </Group>
      }
    >
      {`The workspace matches v${newest.artifactNumber}.`}
    </EmptyState>
  );
}
