/** 'Add a New Environment': name, type, description and address; opens the new environment's page. */
import { Input, SegmentedControl, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { createEnvironmentSchema } from '#contracts/environments';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { paths } from '../../paths.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EnvironmentFields, type EnvironmentValues } from './environment-fields.tsx';
import { useCreateEnvironment } from './mutations.ts';

interface NewEnvironment extends EnvironmentValues {
  type: 'live' | 'test';
}

const EMPTY: NewEnvironment = { name: '', type: 'live', description: '', url: '' };
const HINTS = {
  live: 'What your customers use.',
  test: 'For trying versions out before they go live.',
} as const;

export interface CreateEnvironmentDialogProps {
  readonly orgId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateEnvironmentDialog({ orgId, isOpen, onClose }: CreateEnvironmentDialogProps) {
  const create = useCreateEnvironment(orgId);
  const navigate = useNavigate();
  const form = useForm({ initialValues: EMPTY, validate: checkForm(createEnvironmentSchema) });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ id, name }) => {
        close();
        toast.success(`${name} added`);
        void navigate(paths.environment(orgId, id));
      },
      onError: (error) => {
        const errors = errorsOf(error);
        form.setErrors(errors);
        if (Object.keys(errors).length > 0) return;
        const { title, description } = errorNotice(error);
        toast.error(title, { description });
      },
    }),
  );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title="Add a New Environment"
      submitLabel="Add environment"
      onSubmit={submit}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
    >
      <EnvironmentFields form={form} />
      <Input.Wrapper label="Type" description={HINTS[form.values.type]}>
        <div>
          <SegmentedControl
            aria-label="Type"
            data={[
              { value: 'live', label: 'Live' },
              { value: 'test', label: 'Test' },
            ]}
            {...form.getInputProps('type')}
          />
        </div>
      </Input.Wrapper>
      <Text size="sm" c="dimmed">
        Nothing is deployed to it yet, and it has no keys. The type stays as you choose it.
      </Text>
    </FormDialog>
  );
}
