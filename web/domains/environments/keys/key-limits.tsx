/** An API key's limits: how the table shows them, and the dialog that changes them and the name. */
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ALLOWANCE_SHARES, type ApiKey, keyNameSchema, RATE_LIMITS } from '#contracts/console/api-keys';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptForm } from '#web/forms/use-kept-draft.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { useChangeKey } from './mutations.ts';

export function KeyLimits({ apiKey: { type, rateLimit, allowanceShare } }: { apiKey: ApiKey }) {
  return (
    <>
      <div>{`${formatNumber(rateLimit)} calls a minute${type === 'public' ? ' per client' : ''}`}</div>
      {allowanceShare !== null && (
        <Text size="xs" c="dimmed">{`Up to ${allowanceShare}% of the monthly allowance`}</Text>
      )}
    </>
  );
}

export interface EditKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Mount it once per key: the form starts with the key's name and limits. */
export function EditKeyDialog({ apiKey, isOpen, onClose }: EditKeyDialogProps) {
  const orgId = useOrgId();
  const change = useChangeKey(orgId, apiKey);
  const form = useForm({
    initialValues: {
      name: apiKey.name ?? '',
      rateLimit: String(apiKey.rateLimit),
      allowanceShare: String(apiKey.allowanceShare),
    },
    validate: {
      name: (name) => keyNameSchema.safeParse(name).error?.issues[0]?.message ?? null,
    },
  });
  useKeptForm(`key ${apiKey.id}`, form);
  const close = () => {
    onClose();
    form.reset();
  };
  const isPublic = apiKey.type === 'public';
  const submit = form.onSubmit((values) => {
    const rateLimit = RATE_LIMITS.find((each) => String(each) === values.rateLimit);
    const allowanceShare = ALLOWANCE_SHARES.find((each) => String(each) === values.allowanceShare);
    if (!form.isDirty()) return onClose();
    // Only what changed: a new name is nothing that replicas need to know.
    const isLimited =
      rateLimit !== apiKey.rateLimit || (isPublic && allowanceShare !== apiKey.allowanceShare);
    change.mutate(
      {
        ...(values.name.trim() !== (apiKey.name ?? '') && { name: values.name }),
        ...(isLimited && { rateLimit, ...(isPublic && { allowanceShare }) }),
      },
      {
        onSuccess: () => {
          toast.success('Key saved');
          onClose();
        },
        onError: (error) => showFormError(form, error),
      },
    );
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={`Edit ${keyLabel(apiKey)}`}
      submitLabel="Save changes"
      onSubmit={submit}
      isBusy={change.isPending}
      isDirty={form.isDirty()}
    >
      <TextInput label="Name" placeholder="Billing server" {...form.getInputProps('name')} />
      <NativeSelect
        label="Calls per minute"
        description={
          isPublic
            ? 'Applies per client (an IPv4 address or an IPv6 /64). Calls over the limit return 429 until the next minute.'
            : 'Applies per Cloudflare location. Calls over the limit return 429 until the next minute.'
        }
        data={RATE_LIMITS.map((each) => ({ value: String(each), label: formatNumber(each) }))}
        {...form.getInputProps('rateLimit')}
      />
      {isPublic && (
        <NativeSelect
          label="Share of the monthly allowance"
          description="The key stops when all keys together have used this share of your plan’s calls. The rest is reserved for secret keys. Applies to plans with an allowance."
          data={ALLOWANCE_SHARES.map((each) => ({ value: String(each), label: `${each}%` }))}
          {...form.getInputProps('allowanceShare')}
        />
      )}
    </FormDialog>
  );
}

/** The key's name, or what its value ends with. */
export function keyLabel({ name, maskedValue }: Pick<ApiKey, 'name' | 'maskedValue'>): string {
  return name ?? `…${maskedValue.slice(-4)}`;
}
