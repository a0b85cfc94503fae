/** Edits a workflow's name, description and whether it runs. A concurrent edit is shown, and no input is lost. */
import { Switch, TextInput } from '@mantine/core';
import { type Workflow, workflowDetailsSchema, workflowSchema } from '#contracts/console/workflows';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateWorkflow } from './mutations.ts';

const LABELS = {
  name: 'Name',
  description: 'Description',
  enabled: 'Enabled',
};

const detailsOf = (workflow: Workflow | undefined) => ({
  name: workflow?.name ?? '',
  description: workflow?.description ?? '',
  enabled: workflow?.enabled ?? false,
});

export interface WorkflowFormProps {
  readonly workflowId: string;
  /** Undefined while it loads. */
  readonly workflow: Workflow | undefined;
  /** Null if the feature was deleted, undefined while the features load. */
  readonly featureName: string | null | undefined;
}

export function WorkflowForm({ workflowId, workflow, featureName }: WorkflowFormProps) {
  const orgId = useOrgId();
  const edit = useEditForm({
    item: workflow,
    itemSchema: workflowSchema,
    valuesOf: detailsOf,
    bodySchema: workflowDetailsSchema,
    update: useUpdateWorkflow(orgId, workflowId),
    savedTitle: 'Workflow updated',
    labels: LABELS,
  });
  const { form } = edit;
  return (
    <EditSection
      title="Details"
      description="Changes reach the preview environment within seconds, and other environments with the next version you deploy."
      what="The workflow"
      edit={edit}
    >
      <TextInput label={LABELS.name} required {...form.getInputProps('name')} />
      <DescriptionInput {...form.getInputProps('description')} />
      {workflow !== undefined && workflow.featureId !== null && (
        <TextInput
          label="Feature"
          readOnly
          value={featureName === undefined ? '' : (featureName ?? 'Deleted feature')}
          description={
            featureName === null
              ? 'The feature was deleted, so this workflow is not part of new versions.'
              : 'The workflow sets this feature’s values. Can’t be changed later.'
          }
        />
      )}
      <Switch
        label={LABELS.enabled}
        description="If disabled, this workflow will be saved but not executed."
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
    </EditSection>
  );
}
