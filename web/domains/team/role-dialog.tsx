/** Dialog that changes a member's role. */
import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { TeamRow } from '#contracts/console/organisations';
import { type Role, roleSchema } from '#contracts/console/permissions';
import { useOrgId } from '#web/session/organisation.tsx';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useChangeRole } from './mutations.ts';
import { RoleSelect } from './role-select.tsx';

export interface RoleDialogProps {
  readonly row: TeamRow;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly canMakeOwners: boolean;
}

export function RoleDialog({ row, isOpen, onClose, canMakeOwners }: RoleDialogProps) {
  const orgId = useOrgId();
  const change = useChangeRole(orgId);
  const form = useForm<{ role: Role }>({
    initialValues: { role: roleSchema.catch('member').parse(row.role) },
  });
  const submit = form.onSubmit(({ role }) => {
    if (form.isDirty()) change.mutate({ memberId: row.id, email: row.email, role }, { onSuccess: onClose });
    else onClose();
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Change role"
      submitLabel="Change role"
      onSubmit={submit}
      isBusy={change.isPending}
      isDirty={form.isDirty()}
    >
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Takes effect immediately for {row.email}.
      </Text>
      <RoleSelect {...form.getInputProps('role')} value={form.values.role} canMakeOwners={canMakeOwners} />
    </FormDialog>
  );
}
