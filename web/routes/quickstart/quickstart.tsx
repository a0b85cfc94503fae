/** /quickstart: the five steps from sign-up to a live access check, each done in place. */
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import type { QuickstartStatus } from '#contracts/console/organisations';
import { useFrontendConfig } from '#web/domains/auth/frontend-config.ts';
import { newestDecisionsQuery } from '#web/domains/live/queries.ts';
import { useUpdateQuickstart } from '#web/domains/organisations/mutations.ts';
import { GuidePanel } from '#web/domains/quickstart/guide-panel.tsx';
import classes from '#web/domains/quickstart/quickstart.module.css';
import { currentStep, isComplete, type StepId } from '#web/domains/quickstart/steps.ts';
import { canOpen, statusOnLeaving, stepOf } from '#web/domains/quickstart/wizard.ts';
import { forgetTemplate } from '#web/domains/templates/kept-template.ts';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { sentence } from '#web/ui/format.ts';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { QuickstartStepBody } from './quickstart-step.tsx';
import { SeeItWorkFirst } from './see-it-work-first.tsx';
import { useQuickstart } from './use-quickstart.ts';

const STEP_PARAMETER = 'step';

export function QuickstartPage() {
  const { user } = useSession();
  const { orgId, isLoading, error, retry } = useOrganisation();
  if (orgId === null && !isLoading && error === null) return <Navigate to={paths.home} replace />;
  return (
    <Page
      title={sentence`Welcome to Tessera, ${user?.name ?? ''}`}
      subtitle="Five steps to your first access check. Leave at any time: your progress is saved."
      crumb="Quick start"
    >
      {orgId !== null ? (
        <Wizard key={orgId} orgId={orgId} />
      ) : error !== null ? (
        <ErrorState title="Your organisations could not be loaded" error={error} onRetry={retry} />
      ) : (
        <WizardSkeleton />
      )}
    </Page>
  );
}

function Wizard({ orgId }: { orgId: string }) {
  const quickstart = useQuickstart(orgId, { isWatching: true });
  const { steps, stripe, status } = quickstart;
  const update = useUpdateQuickstart(orgId);
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const [isWaitingForSync, setIsWaitingForSync] = useState(true);
  const chosen = steps === undefined ? null : stepOf(steps, query.get(STEP_PARAMETER));
  const current = steps === undefined ? null : currentStep(steps, isWaitingForSync);
  const isChosenOpen =
    steps !== undefined && chosen !== null && current !== null && canOpen(steps, chosen.id, current);
  const shown = isChosenOpen ? chosen.id : current;
  // Before it is read, a step does not know whether it offers the key of the Stripe emulator.
  const { config, hasFailed } = useFrontendConfig();
  const isConfigured = config !== undefined || hasFailed;
  const calls = useQuery({ ...newestDecisionsQuery(orgId), enabled: current === 'api' });

  const body = useRef<HTMLDivElement>(null);
  const lastShown = useRef(shown);
  useEffect(() => {
    // The pressed button disappears with its step, so keyboard focus moves to the next step.
    if (lastShown.current !== null && lastShown.current !== shown) body.current?.focus();
    lastShown.current = shown;
  }, [shown]);

  const open = (id: StepId | null) =>
    setQuery(id === null || id === current ? {} : { [STEP_PARAMETER]: id }, { replace: true });
  const isChoiceVoid = steps !== undefined && query.has(STEP_PARAMETER) && !isChosenOpen;
  const isChosenComplete = isChosenOpen && isComplete(chosen);
  const wasComplete = useRef({ id: chosen?.id, isComplete: isChosenComplete });
  useEffect(() => {
    const before = wasComplete.current;
    wasComplete.current = { id: chosen?.id, isComplete: isChosenComplete };
    // A chosen step that has just been completed gives way to the current one, as does one that cannot be opened yet.
    const hasCompleted = before.id === chosen?.id && !before.isComplete && isChosenComplete;
    if (isChoiceVoid || hasCompleted) setQuery({}, { replace: true });
  }, [chosen?.id, isChosenComplete, isChoiceVoid, setQuery]);

  if (quickstart.error !== null && steps === undefined) {
    return (
      <ErrorState
        title="The quick start could not be loaded"
        error={quickstart.error}
        onRetry={quickstart.retry}
      />
    );
  }
  if (steps === undefined || current === null || shown === null || !isConfigured) return <WizardSkeleton />;

  const isFinished = status === 'finished';
  const leave = (wanted: QuickstartStatus) => {
    forgetTemplate(orgId);
    const quickstartStatus = statusOnLeaving(status, wanted);
    if (quickstartStatus === null) void navigate(paths.home);
    else update.mutate({ quickstartStatus }, { onSuccess: () => navigate(paths.home) });
  };
  return (
    <div className={classes.columns}>
      <Stack gap={16}>
        {current === 'create-stripe' && <SeeItWorkFirst orgId={orgId} />}
        <div ref={body} tabIndex={-1} className={classes.body}>
          <QuickstartStepBody
            key={shown}
            orgId={orgId}
            id={shown}
            isDone={steps.some(({ id, status: is }) => id === shown && is === 'done')}
            stripe={stripe}
            isJwtSkipped={steps.some(({ id, status: is }) => id === 'jwt' && is === 'skipped')}
            isFinished={isFinished}
            isBusy={update.isPending}
            onContinue={shown === current ? null : () => open(null)}
            onStopWaiting={() => {
              setIsWaitingForSync(false);
              open(null);
            }}
            onSkipJwt={() => update.mutate({ quickstartIdIntegrationSkipped: true })}
            onPause={() => leave('paused')}
            onFinish={() => leave('finished')}
          />
        </div>
      </Stack>
      <GuidePanel
        steps={steps}
        current={current}
        shown={shown}
        hasCalls={calls.data !== undefined && calls.data.length > 0}
        onOpen={open}
        isFinished={isFinished}
        isDismissed={status === 'dismissed'}
        isBusy={update.isPending}
        onSkip={() => leave('paused')}
        onDismiss={() => update.mutate({ quickstartStatus: 'dismissed' })}
      />
    </div>
  );
}

function WizardSkeleton() {
  return (
    <div className={classes.columns}>
      <Skeleton height={320} />
      <Skeleton height={400} />
    </div>
  );
}
