/** Creates a feature and opens it. The slug follows the name until it is edited by hand. */
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { createFeatureSchema } from '#contracts/features';
import { slugFrom } from '#engine/slugs/slug';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useSlugField } from '../../ui/use-slug-field.ts';
import classes from './features.module.css';
import { useCreateFeature } from './mutations.ts';

export interface CreateFeatureDialogProps {
  readonly orgId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateFeatureDialog({ orgId, isOpen, onClose }: CreateFeatureDialogProps) {
  const create = useCreateFeature(orgId);
  const navigate = useNavigate();
  const slug = useSlugField(slugFrom);
  const form = useForm({
    initialValues: { name: '', slug: '', description: '' },
    validate: checkForm(createFeatureSchema),
  });
  const close = () => {
    form.reset();
    slug.restart();
    onClose();
  };
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ id, name }) => {
        toast.success('Feature created', {
          description: `Give ${name} the properties that your plans will set.`,
        });
        close();
        navigate(paths.feature(orgId, id));
      },
      onError: (error) => form.setErrors(errorsOf(error)),
    }),
  );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title="Create a feature"
      submitLabel="Create feature"
      onSubmit={submit}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
    >
      <UnsavedChanges isDirty={() => form.isDirty()} />
      <TextInput
        label="Name"
        placeholder="Data exports"
        required
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => {
          const name = event.currentTarget.value;
          form.setFieldValue('name', name);
          const next = slug.follow(name);
          if (next !== null) form.setFieldValue('slug', next);
        }}
      />
      <TextInput
        label="Slug"
        description="What your application asks for."
        placeholder="data-exports"
        required
        spellCheck={false}
        classNames={{ input: classes.monoInput ?? '' }}
        {...form.getInputProps('slug')}
        onChange={(event) => {
          slug.markEdited();
          form.setFieldValue('slug', event.currentTarget.value);
        }}
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
