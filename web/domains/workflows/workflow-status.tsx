/** Whether a workflow runs: as an icon in lists, as a badge on its page. */
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconPlayerPause } from '@tabler/icons-react';
import type { WorkflowSummary } from '#contracts/console/workflows';
import { Hint } from '#web/ui/hint.tsx';
import { StatusLabel } from '#web/ui/status-label.tsx';

type Status = Pick<WorkflowSummary, 'enabled' | 'isCompiled' | 'disabledIn'>;

export function WorkflowStatusIcon(status: Status) {
  const { icon: Icon, label, colour } = statusOf(status);
  return (
    <Hint label={label}>
      <Icon size={18} stroke={1.7} color={colour} role="img" aria-label={label} display="block" />
    </Hint>
  );
}

export function WorkflowStatusBadge({ enabled }: Pick<WorkflowSummary, 'enabled'>) {
  return <StatusLabel tone={enabled ? 'good' : 'quiet'}>{enabled ? 'Enabled' : 'Disabled'}</StatusLabel>;
}

function statusOf({ enabled, isCompiled, disabledIn }: Status) {
  if (!enabled) return { icon: IconPlayerPause, label: 'Disabled', colour: 'var(--text-faint)' };
  if (disabledIn.length > 0)
    return { icon: IconAlertTriangle, label: 'Disabled in an environment', colour: 'var(--warning)' };
  if (isCompiled) return { icon: IconCircleCheck, label: 'Enabled', colour: 'var(--allowed)' };
  return { icon: IconCircleDashed, label: 'Enabled, no code yet', colour: 'var(--text-faint)' };
}
