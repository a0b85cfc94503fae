/** The dashboard's guide, from the data of several domains. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { useCreateKey } from '#web/domains/environments/keys/mutations.ts';
import { NewKey } from '#web/domains/environments/keys/new-key.tsx';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { artifactsQuery } from '#web/domains/environments/versions/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { useUpdateQuickstart } from '#web/domains/organisations/mutations.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import {
  type FirstStep,
  firstStepsOf,
  nextFirstStep,
  targetOf,
} from '#web/domains/quickstart/first-steps.ts';
import { hideCard, isCardHidden } from '#web/domains/quickstart/hidden-card.ts';
import { isDeployed } from '#web/domains/quickstart/is-deployed.ts';
import { QuickstartCard, QuickstartCardSkeleton } from '#web/domains/quickstart/quickstart-card.tsx';
import { useLatch } from '#web/ui/loading/use-latch.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { FirstStepAction } from './first-step-action.tsx';
import { useQuickstart } from './use-quickstart.ts';

export interface QuickstartGuideProps {
  readonly orgId: string;
  readonly status: 'finished' | 'paused' | null;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  /** The month's access checks and counter updates. Undefined while loading. */
  readonly calls: number | undefined;
  /** The environments or the usage could not be loaded: the page below says so. */
  readonly hasFailed: boolean;
  /** The month's usage on screen. Beside the guide, which says what to do, empty charts are left out. */
  readonly figures: (isGuided: boolean) => ReactNode;
  /** The page below, which appears once the guide's height is known. */
  readonly rest: ReactNode;
  /** In place of all of it, while it is unknown whether an organisation that finished the quick start needs the guide. */
  readonly skeleton: ReactNode;
}

export function QuickstartGuide(props: QuickstartGuideProps) {
  const { orgId, status, figures, rest } = props;
  const [isHidden, setHidden] = useState(() => isCardHidden(orgId));
  if (status === 'finished' && isHidden) {
    return (
      <>
        {figures(false)}
        {rest}
      </>
    );
  }
  const hide = () => {
    hideCard(orgId);
    setHidden(true);
  };
  return <Guide {...props} onHide={hide} />;
}

function Guide(props: QuickstartGuideProps & { readonly onHide: () => void }) {
  const { orgId, status, environments, calls, hasFailed, figures, rest, skeleton, onHide } = props;
  const isFinished = status === 'finished';
  const quickstart = useQuickstart(orgId, { isEnabled: !isFinished });
  const building = useFirstSteps(orgId, environments, calls);
  const update = useUpdateQuickstart(orgId);
  const keyEnvironment = environments && (targetOf(environments) ?? environments[0]);
  const keyCreation = useCreateKey(orgId, keyEnvironment?.id ?? '', true);
  const made = keyCreation.data;
  const madeIn = environments?.find(({ id }) => id === made?.environmentId);
  const steps = isFinished ? [] : quickstart.steps;
  const firstSteps = building.steps;
  const error = quickstart.error ?? building.error;
  const isKnown = useLatch((steps !== undefined && firstSteps !== undefined) || error !== null || hasFailed);
  if (isFinished && firstSteps === undefined && error === null && !hasFailed) return skeleton;
  const next = firstSteps && nextFirstStep(firstSteps);
  const newKey = made !== undefined && madeIn !== undefined && (
    <NewKey
      type={made.type}
      value={made.value}
      environmentName={madeIn.name}
      isDeployed={madeIn.artifactId !== null}
      onDone={keyCreation.reset}
    />
  );
  if (isFinished && firstSteps !== undefined && next === undefined) {
    return (
      <>
        {newKey}
        {figures(false)}
        {rest}
      </>
    );
  }
  return (
    <>
      {newKey}
      {steps !== undefined && firstSteps !== undefined ? (
        <QuickstartCard
          steps={steps}
          firstSteps={firstSteps}
          action={
            <FirstStepAction
              orgId={orgId}
              step={next}
              environments={environments ?? []}
              keyCreation={keyCreation}
              keyEnvironmentId={keyEnvironment?.id}
            />
          }
          isFinished={isFinished}
          isBusy={update.isPending}
          onDismiss={() => update.mutate({ quickstartStatus: 'dismissed' })}
          onHide={onHide}
        />
      ) : hasFailed ? null : error !== null ? (
        <ErrorState
          title="The quick start could not be loaded"
          error={error}
          onRetry={() => {
            quickstart.retry();
            building.retry();
          }}
        />
      ) : (
        <QuickstartCardSkeleton />
      )}
      {isKnown && figures(true)}
      {isKnown && rest}
    </>
  );
}

interface FirstSteps {
  /** Undefined while loading. */
  readonly steps: readonly FirstStep[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

function useFirstSteps(
  orgId: string,
  environments: readonly Environment[] | undefined,
  calls: number | undefined,
): FirstSteps {
  const deployments = useQuery(deploymentStatusQuery(orgId));
  // A version that is deployed and in use implies all steps.
  const hasShipped =
    calls !== undefined &&
    calls > 0 &&
    deployments.data !== undefined &&
    isDeployed(deployments.data.environments);
  const enabled = calls !== undefined && deployments.data !== undefined && !hasShipped;
  const features = useQuery({ ...featuresQuery(orgId), enabled });
  const plans = useQuery({ ...plansQuery(orgId), enabled });
  const versions = useQuery({ ...artifactsQuery(orgId), enabled });
  const keys = useQueries({
    queries: (environments ?? []).map(({ id }) => ({
      ...apiKeysQuery(orgId, id),
      enabled,
    })),
  });
  const queries = [features, plans, versions, deployments, ...keys];
  const result = {
    error: queries.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
  if (deployments.data === undefined || environments === undefined || calls === undefined) {
    return { ...result, steps: undefined };
  }
  const progress = { environments, deployments: deployments.data.environments };
  if (hasShipped) {
    return {
      ...result,
      steps: firstStepsOf({ features: 1, plans: 1, versions: 1, keys: 1, ...progress }),
    };
  }
  const isKnown = features.data && plans.data && versions.data && keys.every(({ data }) => data);
  return {
    ...result,
    steps: isKnown
      ? firstStepsOf({
          features: features.data.length,
          plans: plans.data.length,
          versions: versions.data.length,
          keys: keys.reduce((sum, { data }) => sum + (data?.keys.length ?? 0), 0),
          ...progress,
        })
      : undefined,
  };
}
