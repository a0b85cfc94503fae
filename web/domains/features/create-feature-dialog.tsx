/** Creates a feature and opens it. The slug follows the name until the user edits the slug. */
import { useNavigate } from 'react-router';
import { createFeatureSchema } from '#contracts/console/features';
import { checkForm } from '#web/api/check-form.ts';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { NameAndSlugInputs } from '#web/forms/name-and-slug-inputs.tsx';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useCreateFeature } from './mutations.ts';

export interface CreateFeatureDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateFeatureDialog({ isOpen, onClose }: CreateFeatureDialogProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { form, dialog } = useCreateForm({
    initialValues: { name: '', slug: '', description: '' },
    validate: checkForm(createFeatureSchema),
    create: useCreateFeature(orgId),
    onClose,
    onCreated: ({ id }) => {
      toast.success('Feature created', {
        description: 'Now add the properties that your plans will set.',
      });
      void navigate(paths.feature(orgId, id));
    },
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Create a feature" submitLabel="Create feature">
      <NameAndSlugInputs
        form={form}
        namePlaceholder="Data exports"
        slugPlaceholder="data-exports"
        slugDescription="Used in your code."
      />
      <DescriptionInput placeholder="What customers can do with it" {...form.getInputProps('description')} />
    </FormDialog>
  );
}
