/** 'Create a Plan': name, slug and description; closes and opens the new plan. */
import { Textarea } from '@mantine/core';
import { useNavigate } from 'react-router';
import { createPlanSchema } from '#contracts/plans';
import { slugFrom } from '#engine/slugs/slug';
import { checkForm } from '../../api/check-form.ts';
import { NameAndSlugInputs } from '../../forms/name-and-slug-inputs.tsx';
import { useCreateForm } from '../../forms/use-create-form.ts';
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
  const navigate = useNavigate();
  const slug = useSlugField(slugFrom);
  const { form, dialog } = useCreateForm({
    initialValues: { name: '', slug: '', description: '' },
    validate: checkForm(createPlanSchema),
    create: useCreatePlan(orgId),
    onClose: () => {
      slug.restart();
      onClose();
    },
    onCreated: ({ planId }) => void navigate(paths.plan(orgId, planId)),
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Create a Plan" submitLabel="Create plan">
      <NameAndSlugInputs
        form={form}
        slug={slug}
        namePlaceholder="Professional"
        slugPlaceholder="professional"
        slugDescription="What your application calls the plan."
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
