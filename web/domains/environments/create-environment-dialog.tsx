/** 'Add a New Environment' dialog: name, type, description and URL. */

import { Text } from '@mantine/core';
import { createEnvironmentSchema, environmentEndpoints } from '#contracts/console/environments';
import { checkForm } from '#web/api/check-form.ts';
import { useFormChange } from '#web/api/use-change.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { SegmentedInput } from '#web/ui/inputs/segmented-input.tsx';
import { EnvironmentFields, type EnvironmentValues } from './environment-fields.tsx';

interface NewEnvironment extends EnvironmentValues {
  type: 'live' | 'test';
}

const EMPTY: NewEnvironment = { name: '', type: 'live', description: '', url: '' };
const HINTS = {
  live: 'What your customers use.',
  test: 'For testing versions before they go live.',
} as const;

export interface CreateEnvironmentDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated?: (environmentId: string) => void;
}

export function CreateEnvironmentDialog({ isOpen, onClose, onCreated }: CreateEnvironmentDialogProps) {
  const orgId = useOrgId();
  const { form, dialog } = useCreateForm({
    initialValues: EMPTY,
    validate: checkForm(createEnvironmentSchema),
    create: useFormChange(environmentEndpoints.create, { orgId }),
    onClose,
    onCreated: ({ id, name }) => {
      toast.success(sentence`${name} added`);
      onCreated?.(id);
    },
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Add a New Environment" submitLabel="Create environment">
      <EnvironmentFields form={form} />
      <SegmentedInput
        label="Type"
        description={HINTS[form.values.type]}
        data={[
          { value: 'live', label: 'Live' },
          { value: 'test', label: 'Test' },
        ]}
        {...form.getInputProps('type')}
      />
      <Text size="sm" c="dimmed">
        The environment starts empty, without keys. The type can’t be changed later.
      </Text>
    </FormDialog>
  );
}
