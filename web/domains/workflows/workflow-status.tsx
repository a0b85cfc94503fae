/** Whether a workflow runs: as an icon in lists, as a badge on its page. */
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconPlayerPause } from '@tabler/icons-react';
import type { WorkflowSummary } from '#contracts/console/workflows';
import { Hint } from '#web/ui/labels/hint.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { testStateOf } from './test-counts.ts';
import { type EnvironmentNames, runStateOf } from './workflow-labels.ts';

export interface WorkflowStatusProps {
  readonly workflow: WorkflowSummary;
  readonly environmentNames: EnvironmentNames;
}

const ICONS = {
  disabled: { icon: IconPlayerPause, colour: 'var(--text-faint)' },
  partly: { icon: IconAlertTriangle, colour: 'var(--warning)' },
  enabled: { icon: IconCircleCheck, colour: 'var(--allowed)' },
  empty: { icon: IconCircleDashed, colour: 'var(--text-faint)' },
} as const;

const TONES = { disabled: 'quiet', partly: 'waiting', enabled: 'good', empty: 'good' } as const;

export function WorkflowStatusIcon({ workflow, environmentNames }: WorkflowStatusProps) {
  const { state, label } = runStateOf(workflow, environmentNames);
  const { icon: Icon, colour } = ICONS[state];
  return (
    <Hint label={label}>
      <Icon size={18} stroke={1.7} color={colour} role="img" aria-label={label} display="block" />
    </Hint>
  );
}

const TEST_TONES = { passed: 'good', failed: 'bad', unknown: 'quiet' } as const;

export interface TestsBadgeProps extends Pick<WorkflowSummary, 'tests'> {
  /** In a column of tests. */
  readonly isShort?: boolean;
}

/** Nothing without tests. */
export function TestsBadge({ tests, isShort = false }: TestsBadgeProps) {
  const shown = testStateOf(tests);
  return (
    shown && <StatusLabel tone={TEST_TONES[shown.state]}>{isShort ? shown.short : shown.label}</StatusLabel>
  );
}

export function WorkflowStatusBadge({ workflow, environmentNames }: WorkflowStatusProps) {
  const { state, label } = runStateOf(workflow, environmentNames);
  return <StatusLabel tone={TONES[state]}>{state === 'empty' ? 'Enabled' : label}</StatusLabel>;
}
