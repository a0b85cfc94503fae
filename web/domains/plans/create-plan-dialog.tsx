/** Creates a plan and opens it. */
import { useNavigate } from 'react-router';
import { createPlanSchema } from '#contracts/console/plans';
import { checkForm } from '#web/api/check-form.ts';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { NameAndSlugInputs } from '#web/forms/name-and-slug-inputs.tsx';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useCreatePlan } from './mutations.ts';

export interface CreatePlanDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreatePlanDialog({ isOpen, onClose }: CreatePlanDialogProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { form, dialog } = useCreateForm({
    initialValues: { name: '', slug: '', description: '' },
    validate: checkForm(createPlanSchema),
    create: useCreatePlan(orgId),
    onClose,
    onCreated: ({ planId }) => void navigate(paths.plan(orgId, planId)),
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Create a Plan" submitLabel="Create plan">
      <NameAndSlugInputs
        form={form}
        namePlaceholder="Professional"
        slugPlaceholder="professional"
        slugDescription="Used in your code."
      />
      <DescriptionInput
        placeholder="For teams that need more than the basics"
        {...form.getInputProps('description')}
      />
    </FormDialog>
  );
}
