/** Form with the user settings that platform staff may change. */

import { Box, Switch, TextInput } from '@mantine/core';
import { type SudoUser, sudoEndpoints, sudoUserSchema, updateSudoUserSchema } from '#contracts/console/sudo';
import { useFormChange } from '#web/api/use-change.ts';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useSession } from '#web/session/session.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { sentence } from '#web/ui/format.ts';

interface UserValues {
  name: string;
  email: string;
  emailVerified: boolean;
  enabled: boolean;
}

const LABELS: Record<keyof UserValues, string> = {
  name: 'Name',
  email: 'Email',
  emailVerified: 'Email verified',
  enabled: 'Enabled',
};

const entriesOf = (user: SudoUser | undefined): UserValues => ({
  name: user?.name ?? '',
  email: user?.email ?? '',
  emailVerified: user?.emailVerified ?? false,
  enabled: user?.enabled ?? false,
});

export interface UserFormProps {
  readonly userId: string;
  /** Undefined while it loads. */
  readonly user: SudoUser | undefined;
}

export function UserForm({ userId, user }: UserFormProps) {
  const update = useFormChange(sudoEndpoints.updateUser, { userId });
  const edit = useEditForm({
    item: user,
    itemSchema: sudoUserSchema,
    valuesOf: entriesOf,
    bodySchema: updateSudoUserSchema,
    update,
    savedTitle: 'User updated',
    labels: LABELS,
  });
  const { form } = edit;
  const [organisation] = user?.memberOrganisations ?? [];
  const isOwn = useSession().user?.id === userId;
  return (
    <EditSection title="User" description="Account details and access." what="The user" edit={edit}>
      <div>
        <CopyId value={userId} label="user ID" />
      </div>
      <TextInput label="Name" required {...form.getInputProps('name')} />
      <TextInput
        label="Email"
        type="email"
        required
        disabled={organisation !== undefined}
        description={
          organisation !== undefined &&
          sentence`Can’t be changed for a member: it would give access to ${organisation.name}. An owner there can invite the right email instead.`
        }
        {...form.getInputProps('email')}
      />
      <Switch
        label="Email verified"
        description="Lets the account sign in. To accept invitations, its owner has to open a link mailed to this email."
        {...form.getInputProps('emailVerified', { type: 'checkbox' })}
      />
      <Switch
        label="Enabled"
        disabled={isOwn}
        description={
          isOwn
            ? 'You can’t disable your own account.'
            : 'Disabling ends every session at once. The user then sees the waiting list.'
        }
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <Box component="p" m={0} c="var(--mantine-color-dimmed)">
        Updates will not be applied to the user's current session. The user must logout. Only disabling takes
        effect at once: it ends every session.
      </Box>
    </EditSection>
  );
}
