/** 'Create a Plan': name, slug and description; closes and opens the new plan. */
import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';
import { createPlanSchema } from '#contracts/plans';
import { slugFrom } from '#engine/slugs/slug';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSlugField } from '../../ui/use-slug-field.ts';
import { useCreatePlan } from './mutations.ts';

export interface CreatePlanDialogProps {
  readonly orgId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreatePlanDialog({ orgId, isOpen, onClose }: CreatePlanDialogProps) {
  const create = useCreatePlan(orgId);
  const navigate = useNavigate();
  const slug = useSlugField(slugFrom);
  const form = useForm({
    initialValues: { name: '', slug: '', description: '' },
    validate: checkForm(createPlanSchema),
  });
  const close = () => {
    form.reset();
    slug.restart();
    onClose();
  };
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ planId }) => {
        close();
        navigate(paths.plan(orgId, planId));
      },
      onError: (error) => form.setErrors(errorsOf(error)),
    }),
  );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title="Create a Plan"
      submitLabel="Create plan"
      onSubmit={submit}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
    >
      <TextInput
        label="Name"
        placeholder="Professional"
        required
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => {
          const name = event.currentTarget.value;
          const next = slug.follow(name);
          form.setValues(next === null ? { name } : { name, slug: next });
          form.clearFieldError('name');
          if (next !== null) form.clearFieldError('slug');
        }}
      />
      <TextInput
        label="Slug"
        description="What your application calls the plan."
        placeholder="professional"
        required
        {...form.getInputProps('slug')}
        onChange={(event) => {
          slug.markEdited();
          form.setFieldValue('slug', event.currentTarget.value);
        }}
      />
      <Textarea
        label="Description"
        placeholder="For teams that need more than the basics"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
    </FormDialog>
  );
}
