/** Creates a feature and opens it. The slug follows the name until it is edited by hand. */
import { Textarea } from '@mantine/core';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { createFeatureSchema } from '#contracts/features';
import { slugFrom } from '#engine/slugs/slug';
import { checkForm } from '../../api/check-form.ts';
import { NameAndSlugInputs } from '../../forms/name-and-slug-inputs.tsx';
import { useCreateForm } from '../../forms/use-create-form.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useSlugField } from '../../ui/use-slug-field.ts';
import { useCreateFeature } from './mutations.ts';

export interface CreateFeatureDialogProps {
  readonly orgId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateFeatureDialog({ orgId, isOpen, onClose }: CreateFeatureDialogProps) {
  const navigate = useNavigate();
  const slug = useSlugField(slugFrom);
  const { form, dialog } = useCreateForm({
    initialValues: { name: '', slug: '', description: '' },
    validate: checkForm(createFeatureSchema),
    create: useCreateFeature(orgId),
    onClose: () => {
      slug.restart();
      onClose();
    },
    onCreated: ({ id, name }) => {
      toast.success('Feature created', {
        description: `Give ${name} the properties that your plans will set.`,
      });
      void navigate(paths.feature(orgId, id));
    },
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Create a feature" submitLabel="Create feature">
      <UnsavedChanges isDirty={() => form.isDirty()} />
      <NameAndSlugInputs
        form={form}
        slug={slug}
        namePlaceholder="Data exports"
        slugPlaceholder="data-exports"
        slugDescription="What your application asks for."
      />
      <Textarea
        label="Description"
        placeholder="What it lets a customer do"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
    </FormDialog>
  );
}
