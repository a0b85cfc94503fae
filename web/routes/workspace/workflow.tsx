/** /o/{orgId}/workflows/{workflowId}/{tabId?}: a workflow. The tab `manage` has its settings, `code` its editor. */

import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { Workflow } from '#contracts/console/workflows';
import { isNotFound } from '#web/api/api-error.ts';
import { failedRead } from '#web/api/failed-read.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { CodeTab } from '#web/domains/workflows/code/code-tab.tsx';
import type { WorkflowDependencies } from '#web/domains/workflows/code/declarations.ts';
import { DeleteWorkflowDialog } from '#web/domains/workflows/delete-workflow-dialog.tsx';
import { DisabledInNotice } from '#web/domains/workflows/disabled-in-notice.tsx';
import { workflowQuery, workflowTestsQuery } from '#web/domains/workflows/queries.ts';
import { countsOf } from '#web/domains/workflows/test-counts.ts';
import { WorkflowForm } from '#web/domains/workflows/workflow-form.tsx';
import { TYPE_LABELS } from '#web/domains/workflows/workflow-labels.ts';
import { TestsBadge, WorkflowStatusBadge } from '#web/domains/workflows/workflow-status.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';
import { sentence } from '#web/ui/format.ts';
import { Tag } from '#web/ui/labels/tag.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { RemovalSection } from '#web/ui/page/removal-section.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { DeletedState } from '#web/ui/states/deleted-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { WorkflowRuns } from './workflow-runs.tsx';

export function WorkflowPage() {
  const orgId = useOrgId();
  const { workflowId = '', tabId = 'manage' } = useParams();
  const { data: workflow, error, refetch } = useQuery(workflowQuery(orgId, workflowId));
  const features = useQuery(featuresQuery(orgId)).data;
  const environments = useQuery(environmentsQuery(orgId)).data;
  const environmentNames = useMemo(
    () => (environments === undefined ? null : new Map(environments.map(({ id, name }) => [id, name]))),
    [environments],
  );
  const navigate = useNavigate();
  if (tabId !== 'manage' && tabId !== 'code' && tabId !== 'runs') {
    return <Navigate to={paths.workflow(orgId, workflowId)} replace />;
  }
  const featureName =
    features === undefined
      ? undefined
      : (features.find(({ id }) => id === workflow?.featureId)?.name ?? null);
  const isGone = isNotFound(error);
  const isFailed = error !== null && workflow === undefined && !isGone;
  const isOpen = !isGone && !isFailed;
  return (
    <Page
      title={workflow?.name ?? 'Workflow'}
      aside={
        workflow &&
        !isGone && (
          <>
            <WorkflowStatusBadge workflow={workflow} environmentNames={environmentNames} />
            <WorkflowTests workflow={workflow} />
            <Tag>{TYPE_LABELS[workflow.type]}</Tag>
            {workflow.featureId !== null && featureName === null && <Tag look="dashed">Deleted feature</Tag>}
          </>
        )
      }
      subtitle={workflow?.description}
      parents={[{ label: 'Workflows', to: paths.workflows(orgId) }]}
    >
      {isGone && (
        <DeletedState
          title="Workflow Deleted – This workflow no longer exists"
          list={{ label: 'Go to workflows', to: paths.workflows(orgId) }}
        >
          Environments may still run a version that contains it.
        </DeletedState>
      )}
      {isFailed && <ErrorState title="This workflow could not be loaded" error={error} onRetry={refetch} />}
      {isOpen && workflow !== undefined && (
        <DisabledInNotice workflow={workflow} environmentNames={environmentNames} />
      )}
      {isOpen && (
        <TabLinks
          label="Workflow"
          current={tabId}
          tabs={[
            { id: 'manage', label: 'Manage', to: paths.workflow(orgId, workflowId, 'manage') },
            { id: 'code', label: 'Code', to: paths.workflow(orgId, workflowId, 'code') },
            { id: 'runs', label: 'Runs', to: paths.workflow(orgId, workflowId, 'runs') },
          ]}
        />
      )}
      {tabId === 'code' && (isOpen || workflow !== undefined) && (
        <WorkflowCode workflow={workflow} isDeleted={isGone} />
      )}
      {tabId === 'runs' && isOpen && (
        <WorkflowRuns workflowId={workflowId} environmentNames={environmentNames} />
      )}
      {tabId === 'manage' && isOpen && (
        <WorkflowForm
          key={workflowId}
          workflowId={workflowId}
          workflow={workflow}
          featureName={featureName}
        />
      )}
      {tabId === 'manage' && isOpen && workflow !== undefined && (
        <>
          <ObjectHistory key={`${workflowId} history`} target={workflowId} />
          <RemovalSection
            title="Remove this workflow"
            description="Removes the workflow and its code from the workspace. Environments run it until you deploy a version without it."
            label={sentence`Remove ${workflow.name}`}
          >
            {(isAsking, close) => (
              <DeleteWorkflowDialog
                workflow={isAsking ? workflow : null}
                onClose={close}
                onDeleted={() => {
                  discardUnsaved();
                  void navigate(paths.workflows(orgId), { replace: true });
                }}
              />
            )}
          </RemovalSection>
        </>
      )}
    </Page>
  );
}

/** From the tests themselves: their results follow a save. */
function WorkflowTests({ workflow }: { workflow: Workflow }) {
  const orgId = useOrgId();
  const tests = useQuery(workflowTestsQuery(orgId, workflow)).data;
  return <TestsBadge tests={tests === undefined ? workflow.tests : countsOf(tests)} />;
}

interface WorkflowCodeProps {
  /** Undefined while loading. */
  readonly workflow: Workflow | undefined;
  readonly isDeleted: boolean;
}

/** Loads what the code depends on. */
function WorkflowCode({ workflow, isDeleted }: WorkflowCodeProps) {
  const orgId = useOrgId();
  const plans = useQuery(plansQuery(orgId));
  const features = useQuery(featuresQuery(orgId));
  const failed = failedRead(plans, features);
  const dependencies = useMemo(
    () => workflow && plans.data && features.data && dependenciesOf(workflow, plans.data, features.data),
    [workflow, plans.data, features.data],
  );
  if (failed !== null) return <ErrorState title="Plans and features could not be loaded" {...failed} />;
  if (workflow === undefined || dependencies === undefined) return <Skeleton height={480} />;
  return <CodeTab key={workflow.id} workflow={workflow} dependencies={dependencies} isDeleted={isDeleted} />;
}

function dependenciesOf(
  { type, featureId }: Workflow,
  plans: readonly Plan[],
  features: readonly Feature[],
): WorkflowDependencies {
  const feature = features.find(({ id }) => id === featureId);
  return {
    type,
    planSlugs: plans.map(({ planSlug }) => planSlug),
    feature:
      feature === undefined
        ? null
        : {
            slug: feature.slug,
            properties: [...feature.properties, ...feature.systemFeatureProperties],
          },
  };
}
