/** Names of workflow types. */
import type { WorkflowType } from '#contracts/console/workflows';

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
