/** Beside the editor: runs the code, shows its tests, or lists what it can refer to. */
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '#contracts/console/workflows';
import { useOrgId } from '#web/session/organisation.tsx';
import { workflowTestsQuery } from '../queries.ts';
import { countsOf } from '../test-counts.ts';
import classes from './code.module.css';
import type { Compilation } from './compilation.ts';
import type { WorkflowDependencies } from './declarations.ts';
import { DependenciesPanel } from './dependencies-panel.tsx';
import { RunPane } from './run-pane.tsx';
import { TestsPanel } from './tests-panel.tsx';

export interface SidePanelProps {
  readonly workflow: Workflow;
  readonly dependencies: WorkflowDependencies;
  /** Null until the editor is loaded. */
  readonly compile: () => Promise<Compilation | null>;
  readonly onInsert: (text: string) => void;
}

export function SidePanel({ workflow, dependencies, compile, onInsert }: SidePanelProps) {
  const orgId = useOrgId();
  const tests = useQuery(workflowTestsQuery(orgId, workflow)).data ?? [];
  const { failed } = countsOf(tests);
  return (
    <Tabs defaultValue="run" keepMounted className={classes.side}>
      <Tabs.List px={8}>
        <Tabs.Tab value="run">Run</Tabs.Tab>
        <Tabs.Tab
          value="tests"
          {...(tests.length > 0 && {
            rightSection: (
              <span className={classes.count} data-failed={failed > 0 || undefined}>
                {failed > 0 ? `${failed} failed` : tests.length}
              </span>
            ),
          })}
        >
          Tests
        </Tabs.Tab>
        <Tabs.Tab value="dependencies">Dependencies</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="run">
        <RunPane workflow={workflow} dependencies={dependencies} compile={compile} />
      </Tabs.Panel>
      <Tabs.Panel value="tests">
        <TestsPanel workflow={workflow} />
      </Tabs.Panel>
      <Tabs.Panel value="dependencies">
        <DependenciesPanel dependencies={dependencies} onInsert={onInsert} />
      </Tabs.Panel>
    </Tabs>
  );
}
