/** 'Invite a Team Member' dialog: email, role, and whether to replace an open invitation. */
import { Switch, TextInput } from '@mantine/core';
import { inviteMemberSchema, PLACEHOLDER_EMAIL } from '#contracts/console/team';
import { checkForm } from '#web/api/check-form.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { type InviteInput, useInviteMember } from './mutations.ts';
import { RoleSelect } from './role-select.tsx';

export interface InviteDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly canMakeOwners: boolean;
}

const EMPTY: InviteInput = { email: '', role: 'member', resend: true };
const check = checkForm(inviteMemberSchema);

export function InviteDialog({ isOpen, onClose, canMakeOwners }: InviteDialogProps) {
  const orgId = useOrgId();
  const { form, dialog } = useCreateForm({
    initialValues: EMPTY,
    validate: checkInvite,
    create: useInviteMember(orgId, true),
    onClose,
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title="Invite a Team Member" submitLabel="Send Invite">
      <TextInput
        label="Email"
        type="email"
        placeholder={PLACEHOLDER_EMAIL}
        description="They join by signing in with this email. The invitation expires after 7 days."
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleSelect {...form.getInputProps('role')} value={form.values.role} canMakeOwners={canMakeOwners} />
      <Switch
        label="Resend if already invited"
        description="Replaces an open invitation. Otherwise the open one stays and no email is sent."
        {...form.getInputProps('resend', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}

/** A missing and an invalid email show the same message. */
function checkInvite(values: InviteInput) {
  const errors = check(values);
  return errors.email === 'Required' ? { ...errors, email: 'A valid email is required' } : errors;
}
