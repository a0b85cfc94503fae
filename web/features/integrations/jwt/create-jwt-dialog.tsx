/** Adds a JWT integration and opens it. */
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';
import { toast } from 'sonner';
import { createJwtIntegrationSchema, DEFAULT_CLAIM_INDEX } from '#contracts/integrations';
import { checkForm, errorsOf } from '../../../api/check-form.ts';
import { errorNotice } from '../../../api/error-notice.ts';
import { paths } from '../../../paths.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../../ui/unsaved-changes.tsx';
import { ClaimFields } from './claim-fields.tsx';
import { useCreateJwtIntegration } from './mutations.ts';
import { PublicKeyField } from './public-key-field.tsx';

export interface CreateJwtDialogProps {
  readonly orgId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateJwtDialog({ orgId, isOpen, onClose }: CreateJwtDialogProps) {
  const create = useCreateJwtIntegration(orgId);
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '', publicKey: '', claimKey: '', claimIndex: DEFAULT_CLAIM_INDEX },
    validate: checkForm(createJwtIntegrationSchema),
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ id, name }) => {
        toast.success('JWT integration created', {
          description: `Tokens that ${name} verifies are believed within five seconds.`,
        });
        close();
        void navigate(paths.jwtIntegration(orgId, id));
      },
      onError: (error) => {
        const refused = errorsOf(error);
        form.setErrors(refused);
        if (Object.keys(refused).length > 0) return;
        const { description } = errorNotice(error);
        toast.error('The integration was not created', { description });
      },
    }),
  );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title="Add a JWT integration"
      submitLabel="Add integration"
      onSubmit={submit}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
      size={560}
    >
      <UnsavedChanges isDirty={() => form.isDirty()} />
      <TextInput
        label="Name"
        placeholder="Customer sign-in"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <PublicKeyField label="Public key" {...form.getInputProps('publicKey')} />
      <ClaimFields form={form} />
    </FormDialog>
  );
}
