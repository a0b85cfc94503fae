/** Adds a JWT integration and opens it. */
import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { createJwtIntegrationSchema, DEFAULT_CLAIM_INDEX } from '#contracts/console/integrations';
import { checkForm } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { ClaimFields } from './claim-fields.tsx';
import { MemberClaimField } from './member-claim-field.tsx';
import { useCreateJwtIntegration } from './mutations.ts';
import { PublicKeyField } from './public-key-field.tsx';

export interface CreateJwtDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateJwtDialog({ isOpen, onClose }: CreateJwtDialogProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { form, dialog } = useCreateForm({
    initialValues: {
      name: '',
      publicKey: '',
      claimKey: '',
      claimIndex: DEFAULT_CLAIM_INDEX,
      entityClaimKey: '',
    },
    validate: checkForm(createJwtIntegrationSchema),
    create: useCreateJwtIntegration(orgId),
    onClose,
    onCreated: ({ id, name }) => {
      toast.success('JWT integration created', {
        description: sentence`Tokens verified by ${name} are accepted within 5 seconds.`,
      });
      void navigate(paths.jwtIntegration(orgId, id));
    },
    showFormError: (refusedForm, error) =>
      showFormError(refusedForm, error, { title: 'The integration was not created' }),
  });
  return (
    <FormDialog
      {...dialog}
      isOpen={isOpen}
      title="Add a JWT integration"
      submitLabel="Create integration"
      size={560}
    >
      <TextInput
        label="Name"
        placeholder="Customer sign-in"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <PublicKeyField label="Public key" {...form.getInputProps('publicKey')} />
      <ClaimFields form={form} />
      <MemberClaimField form={form} />
    </FormDialog>
  );
}
