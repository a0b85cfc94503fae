/** /o/{orgId}/workflows: the organisation's workflows. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { eventMetricsQuery } from '#web/domains/metrics/queries.ts';
import { workflowsQuery } from '#web/domains/workflows/queries.ts';
import { runFiguresOf } from '#web/domains/workflows/runs/run-figures.ts';
import { WorkflowsGuide } from '#web/domains/workflows/workflows-guide.tsx';
import { WorkflowsTable } from '#web/domains/workflows/workflows-table.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

/** Forms are loaded when one opens. */
const createDialog = codeApart(
  async () => (await import('#web/domains/workflows/create-workflow-dialog.tsx')).CreateWorkflowDialog,
);

export function WorkflowsPage() {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(workflowsQuery(orgId));
  const features = useQuery(featuresQuery(orgId)).data;
  const environments = useQuery(environmentsQuery(orgId)).data;
  const { data: metrics } = useQuery(eventMetricsQuery(orgId, { environment: undefined, range: '24h' }));
  const [isCreating, creating] = useCreating();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Add a Workflow
    </Button>
  );
  return (
    <Page actions={data?.length === 0 ? undefined : create}>
      {data === undefined && error !== null ? (
        <ErrorState title="The workflows could not be loaded" error={error} onRetry={refetch} />
      ) : data?.length === 0 ? (
        <WorkflowsGuide action={create} />
      ) : (
        <WorkflowsTable
          workflows={data}
          featureNames={namesById(features)}
          environmentNames={namesById(environments)}
          figuresOf={metrics && ((workflowId) => runFiguresOf(metrics, workflowId))}
        />
      )}
      <OptionalPart
        code={createDialog}
        props={{ features, isOpen: isCreating, onClose: creating.close }}
        isNeeded={isCreating}
        onFailure={creating.close}
      />
    </Page>
  );
}

function namesById(items: readonly { id: string; name: string }[] | undefined) {
  return items === undefined ? null : new Map(items.map(({ id, name }) => [id, name]));
}
