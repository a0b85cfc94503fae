/** Names of workflow types, and whether a workflow runs, in words. */
import type { WorkflowSummary, WorkflowType } from '#contracts/console/workflows';
import { sentence } from '#web/ui/format.ts';

export const TYPE_LABELS: Readonly<Record<WorkflowType, string>> = {
  'dynamic-provisioning': 'Dynamic Provisioning',
  'feature-behaviour': 'Feature Behaviour',
};

/** For choosing a type. */
export const TYPE_CHOICES = [
  {
    value: 'dynamic-provisioning',
    label: TYPE_LABELS['dynamic-provisioning'],
    description: 'Route users to the correct plan',
  },
  {
    value: 'feature-behaviour',
    label: TYPE_LABELS['feature-behaviour'],
    description: 'Configure feature behaviour',
  },
] as const;

/** Longer names of environments are counted instead: the label stays on one line. */
const LONGEST_NAME = 24;

export type RunState = 'disabled' | 'partly' | 'enabled' | 'empty';

/** Names of environments by id. Null while they are unknown. */
export type EnvironmentNames = ReadonlyMap<string, string> | null;

/**
 * Whether a workflow runs: its switch, and the environments in which Tessera disabled it because too many of its runs were stopped. Environments
 * that were deleted since do not count.
 */
export function runStateOf(
  { enabled, isCompiled, disabledIn }: Pick<WorkflowSummary, 'enabled' | 'isCompiled' | 'disabledIn'>,
  environmentNames: EnvironmentNames,
): { readonly state: RunState; readonly label: string } {
  if (!enabled) return { state: 'disabled', label: 'Disabled' };
  const exceptions = disabledIn.filter((id) => environmentNames?.has(id) ?? true);
  const [only = ''] = exceptions;
  if (exceptions.length > 0) {
    const name = exceptions.length === 1 ? environmentNames?.get(only) : undefined;
    const isNamed = name !== undefined && name.length <= LONGEST_NAME;
    const count = exceptions.length === 1 ? '1 environment' : `${exceptions.length} environments`;
    return { state: 'partly', label: sentence`Disabled in ${isNamed ? name : count}` };
  }
  if (isCompiled) return { state: 'enabled', label: 'Enabled' };
  return { state: 'empty', label: 'Enabled, no code yet' };
}
