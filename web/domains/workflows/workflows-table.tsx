/** The organisation's workflows. A row links to its workflow. */
import { Menu } from '@mantine/core';
import { IconCode, IconHistory, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { WorkflowSummary } from '#contracts/console/workflows';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatLatency, formatNumber } from '#web/ui/format.ts';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { DeleteWorkflowDialog } from './delete-workflow-dialog.tsx';
import type { RunFigures } from './runs/run-figures.ts';
import { type EnvironmentNames, runStateOf, TYPE_LABELS } from './workflow-labels.ts';
import { TestsBadge, WorkflowStatusIcon } from './workflow-status.tsx';

export interface WorkflowsTableProps {
  /** Undefined while loading. */
  readonly workflows: readonly WorkflowSummary[] | undefined;
  /** By feature id; null while the features are unknown. */
  readonly featureNames: ReadonlyMap<string, string> | null;
  readonly environmentNames: EnvironmentNames;
  /** Runs of 24 hours by workflow. Undefined while they are unknown. */
  readonly figuresOf: ((workflowId: string) => RunFigures) | undefined;
}

export function WorkflowsTable(props: WorkflowsTableProps) {
  const orgId = useOrgId();
  const { workflows, featureNames, environmentNames, figuresOf } = props;
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
          {
            header: 'Runs, 24 h',
            cell: ({ id }) => figuresOf && formatNumber(figuresOf(id).total),
            width: 96,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Failed',
            cell: ({ id }) => figuresOf && <Failed count={figuresOf(id).failed} />,
            width: 80,
            isNumber: true,
          },
          {
            header: 'p95',
            cell: ({ id }) => p95Label(figuresOf?.(id).p95),
            width: 80,
            isNumber: true,
            isMinor: true,
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
              component={Link}
              to={paths.workflow(orgId, workflow.id, 'runs')}
              leftSection={<IconHistory size={15} aria-hidden />}
            >
              Runs
            </Menu.Item>
            <RemoveItem onClick={() => setDoomed(workflow)}>Delete</RemoveItem>
          </RowMenu>
        )}
      />
      <DeleteWorkflowDialog workflow={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

function Failed({ count }: { count: number }) {
  return <span className={count > 0 ? 'medium' : 'muted'}>{formatNumber(count)}</span>;
}

const p95Label = (ms: number | null | undefined) => (ms == null ? '–' : formatLatency(ms));

/** A workflow that does not run everywhere says so before its description. */
function detailOf(workflow: WorkflowSummary, environmentNames: EnvironmentNames): string | null {
  const { state, label } = runStateOf(workflow, environmentNames);
  if (state !== 'partly') return workflow.description;
  return workflow.description === null ? label : `${label} · ${workflow.description}`;
}
