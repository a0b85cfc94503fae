/** Creates a workflow and opens it. The feature is asked for only if the workflow changes one. */
import { Select, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { Feature } from '#contracts/console/features';
import { createWorkflowSchema, type WorkflowType } from '#contracts/console/workflows';
import { checkForm } from '#web/api/check-form.ts';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { ChoiceCards } from '#web/ui/inputs/choice-cards.tsx';
import { useCreateWorkflow } from './mutations.ts';
import { TYPE_CHOICES } from './workflow-labels.ts';

export interface CreateWorkflowDialogProps {
  /** Undefined while loading. */
  readonly features: readonly Feature[] | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface Values {
  name: string;
  description: string;
  type: WorkflowType;
  featureId: string | null;
}

const INITIAL: Values = { name: '', description: '', type: 'dynamic-provisioning', featureId: null };

export function CreateWorkflowDialog({ features, isOpen, onClose }: CreateWorkflowDialogProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { form, dialog } = useCreateForm({
    initialValues: INITIAL,
    validate: checkForm(createWorkflowSchema),
    create: useCreateWorkflow(orgId),
    onClose,
    onCreated: ({ id }) => void navigate(paths.workflow(orgId, id, 'code')),
  });
  const { type, featureId } = form.values;
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Add a Workflow" submitLabel="Create workflow">
      <TextInput
        label="Name"
        placeholder="Trial for new customers"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <DescriptionInput placeholder="What it decides, and why" {...form.getInputProps('description')} />
      <ChoiceCards<WorkflowType>
        legend="Type"
        choices={TYPE_CHOICES}
        value={type}
        onChange={(next) =>
          form.setValues({ type: next, featureId: next === 'dynamic-provisioning' ? null : featureId })
        }
      />
      {type === 'feature-behaviour' && (
        <Select
          label="Feature"
          description="The workflow sets this feature’s values. Can’t be changed later."
          placeholder="Choose a feature"
          required
          searchable
          // The error below stays visible when validation moves the focus here.
          openOnFocus={false}
          limit={100}
          data={features?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          nothingFoundMessage={features?.length === 0 ? 'No features yet. Create one first.' : 'No results'}
          {...form.getInputProps('featureId')}
        />
      )}
    </FormDialog>
  );
}
