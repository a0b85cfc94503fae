/** Creates a key: its type, with how many of the type are left, and a name. */
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { keyNameSchema, MAX_KEYS_PER_TYPE } from '#contracts/console/api-keys';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { ChoiceCards } from '#web/ui/inputs/choice-cards.tsx';
import type { useCreateKey } from './mutations.ts';

export interface CreateKeyDialogProps {
  /** How many keys of each type can be created. */
  readonly remaining: Readonly<Record<ApiKeyType, number>>;
  readonly create: Pick<ReturnType<typeof useCreateKey>, 'mutate' | 'isPending'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface KeyValues {
  readonly type: ApiKeyType;
  readonly name: string;
  readonly managesCustomers: boolean;
}

const TEXTS: Record<ApiKeyType, { readonly label: string; readonly text: string }> = {
  secret: { label: 'Secret', text: 'For your server. Checks anyone.' },
  public: { label: 'Public', text: 'For apps and browsers. Accepts signed user tokens only.' },
};

/** Mounts for each opening, so the form starts with a type that can be created. */
export function CreateKeyDialog({ remaining, create, isOpen, onClose }: CreateKeyDialogProps) {
  const form = useForm<KeyValues>({
    initialValues: { type: remaining.secret > 0 ? 'secret' : 'public', name: '', managesCustomers: false },
    validate: {
      name: (name) => keyNameSchema.safeParse(name).error?.issues[0]?.message ?? null,
    },
  });
  useKeptForm('create key', form);
  const { type } = form.values;
  const left = remaining[type];
  const submit = form.onSubmit((values) =>
    create.mutate(keyOf(values), { onSuccess: onClose, onError: (error) => showFormError(form, error) }),
  );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create an API key"
      submitLabel={`Create ${type} key`}
      isSubmitDisabled={left <= 0}
      onSubmit={submit}
      isBusy={create.isPending}
      isDirty={form.values.name !== '' || form.values.managesCustomers}
    >
      <ChoiceCards
        legend="Type"
        value={type}
        onChange={(chosen) => form.setFieldValue('type', chosen)}
        choices={(['secret', 'public'] as const).map((value) => ({
          value,
          label: TEXTS[value].label,
          description: TEXTS[value].text,
          detail: remainingLabel(remaining[value]),
        }))}
      />
      <TextInput
        label="Name"
        placeholder="Billing server"
        description="Optional. Where the key is used, so that you know later what revoking it breaks."
        data-autofocus
        {...form.getInputProps('name')}
      />
      {type === 'secret' && (
        <Checkbox
          label="Manage customers"
          description="Create customers, grant plans, set overrides and adjust usage in this environment. Can’t be changed later."
          {...form.getInputProps('managesCustomers', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  );
}

/** Public keys have no permissions, whatever was ticked before the type was chosen. */
function keyOf({ managesCustomers, ...key }: KeyValues) {
  return key.type === 'secret' && managesCustomers ? { ...key, managesCustomers } : key;
}

function remainingLabel(count: number): string {
  return count <= 0 ? 'Limit reached. Revoke a key first.' : `${count} of ${MAX_KEYS_PER_TYPE} left`;
}
