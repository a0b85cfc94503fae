/** Moves grants, overrides and usage from a name that calls cannot send to the identifier that they send. */
import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { moveCustomerSchema } from '#contracts/console/customers';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { checkForm } from '#web/api/check-form.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import { useMoveCustomer } from '../mutations.ts';

export interface MoveCustomerDialogProps {
  readonly identifier: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function MoveCustomerDialog({ identifier, isOpen, onClose }: MoveCustomerDialogProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { form, dialog } = useCreateForm({
    initialValues: { to: identifier.trim() },
    validate: checkForm(moveCustomerSchema),
    create: useMoveCustomer(orgId, identifier),
    onClose,
    onCreated: ({ identifier: to }) => {
      toast.success('Customer moved', { description: `Grants, overrides and usage apply to ${to}.` });
      void navigate(paths.customer(orgId, to));
    },
  });
  return (
    <FormDialog
      {...dialog}
      isOpen={isOpen}
      title={`Move ${shownIdentifier(identifier)}`}
      submitLabel="Move customer"
    >
      <TextInput
        label="Move to"
        description="The identifier that your calls send. What it already has stays. Usage that has moved can’t be moved back."
        required
        maxLength={MAX_IDENTIFIER}
        data-autofocus
        {...form.getInputProps('to')}
      />
    </FormDialog>
  );
}
