/** Form for the user's name. The email is shown but cannot be changed. */
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { z } from 'zod';
import { nameSchema } from '#contracts/public/text';
import { checkForm } from '#web/api/check-form.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { toast } from '#web/toast.ts';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { useUpdateProfile } from './mutations.ts';

const schema = z.object({ name: nameSchema });

export function ProfileForm({ name, email }: { name: string; email: string }) {
  const update = useUpdateProfile();
  const form = useForm({ initialValues: { name }, validate: checkForm(schema) });
  useKeptForm('profile', form);
  const submit = form.onSubmit(({ name: entered }) => {
    const next = entered.trim();
    update.mutate(
      { name: next },
      {
        onSuccess: () => {
          // What was typed meanwhile stays.
          if (form.getValues().name === entered) form.setValues({ name: next });
          form.resetDirty({ name: next });
          toast.success('Profile updated');
        },
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => form.isDirty()} />
      <Section
        isSplit
        title="Profile"
        description="How you appear to your team."
        footer={
          <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
            Update
          </Button>
        }
      >
        <Fields isDisabled={update.isPending}>
          <TextInput label="Email" value={email} readOnly />
          <TextInput label="Full Name" autoComplete="name" required {...form.getInputProps('name')} />
        </Fields>
      </Section>
    </form>
  );
}
