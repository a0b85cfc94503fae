/** The organisation's workflows. A row links to its workflow. */
import { Menu } from '@mantine/core';
import { IconCode, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { WorkflowSummary } from '#contracts/console/workflows';
import { paths } from '#web/paths.ts';
import { ListTable } from '#web/ui/list-table.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { DeleteWorkflowDialog } from './delete-workflow-dialog.tsx';
import { type EnvironmentNames, runStateOf, TYPE_LABELS } from './workflow-labels.ts';
import { TestsBadge, WorkflowStatusIcon } from './workflow-status.tsx';

export interface WorkflowsTableProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly workflows: readonly WorkflowSummary[] | undefined;
  /** By feature id; null while the features are unknown. */
  readonly featureNames: ReadonlyMap<string, string> | null;
  readonly environmentNames: EnvironmentNames;
}

export function WorkflowsTable(props: WorkflowsTableProps) {
  const { orgId, workflows, featureNames, environmentNames } = props;
  const [doomed, setDoomed] = useState<WorkflowSummary | null>(null);
  return (
    <>
      <ListTable
        label="workflows"
        rows={workflows}
        rowKey={({ id }) => id}
        rowTo={({ id }) => paths.workflow(orgId, id)}
        keywords={({ type }) => TYPE_LABELS[type]}
        lead={{
          header: 'Status',
          cell: (workflow) => <WorkflowStatusIcon workflow={workflow} environmentNames={environmentNames} />,
          width: 48,
        }}
        name={{
          header: 'Name & Description',
          cell: ({ name }) => name,
          detail: (workflow) => detailOf(workflow, environmentNames),
        }}
        columns={[
          {
            header: 'Mode',
            cell: ({ isDraft, isCompiled }) => (
              <span>
                Custom Code
                {(isDraft || !isCompiled) && (
                  <span className="one-line muted small">{isCompiled ? 'Draft' : 'No code yet'}</span>
                )}
              </span>
            ),
            width: 116,
            isSecondary: true,
          },
          {
            header: 'Type',
            cell: ({ type, featureId }) => (
              <span>
                {TYPE_LABELS[type]}
                {featureId !== null && featureNames !== null && (
                  <span className="one-line muted small">
                    {featureNames.get(featureId) ?? 'Deleted feature'}
                  </span>
                )}
              </span>
            ),
            width: 180,
            isSecondary: true,
          },
          ...(workflows?.some(({ tests }) => tests.passed + tests.failed + tests.notRun > 0)
            ? [
                {
                  header: 'Tests',
                  cell: ({ tests }: WorkflowSummary) => <TestsBadge tests={tests} isShort />,
                  width: 104,
                },
              ]
            : []),
        ]}
        actions={(workflow) => (
          <RowMenu name={workflow.name}>
            <Menu.Item
              component={Link}
              to={paths.workflow(orgId, workflow.id)}
              leftSection={<IconPencil size={15} aria-hidden />}
            >
              Edit
            </Menu.Item>
            <Menu.Item
              component={Link}
              to={paths.workflow(orgId, workflow.id, 'code')}
              leftSection={<IconCode size={15} aria-hidden />}
            >
              Open code
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => setDoomed(workflow)}
            >
              Delete
            </Menu.Item>
          </RowMenu>
        )}
      />
      <DeleteWorkflowDialog orgId={orgId} workflow={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

/** A workflow that does not run everywhere says so before its description. */
function detailOf(workflow: WorkflowSummary, environmentNames: EnvironmentNames): string | null {
  const { state, label } = runStateOf(workflow, environmentNames);
  if (state !== 'partly') return workflow.description;
  return workflow.description === null ? label : `${label} · ${workflow.description}`;
}
