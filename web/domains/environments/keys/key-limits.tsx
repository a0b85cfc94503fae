/** An API key's limits: how the table shows them, and the dialog that changes them. */
import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { toast } from 'sonner';
import { ALLOWANCE_SHARES, type ApiKey, RATE_LIMITS } from '#contracts/console/api-keys';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { useChangeKeyLimits } from './mutations.ts';

export function KeyLimits({ apiKey: { type, rateLimit, allowanceShare } }: { apiKey: ApiKey }) {
  return (
    <>
      <div>{`${formatNumber(rateLimit)} calls a minute${type === 'public' ? ' per client' : ''}`}</div>
      {allowanceShare !== null && (
        <Text size="xs" c="dimmed">{`Up to ${allowanceShare} % of the monthly allowance`}</Text>
      )}
    </>
  );
}

export interface KeyLimitsDialogProps {
  readonly orgId: string;
  readonly apiKey: ApiKey;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Mount it anew for each key: the form starts with the key's limits. */
export function KeyLimitsDialog({ orgId, apiKey, isOpen, onClose }: KeyLimitsDialogProps) {
  const change = useChangeKeyLimits(orgId, apiKey);
  const form = useForm({
    initialValues: { rateLimit: String(apiKey.rateLimit), allowanceShare: String(apiKey.allowanceShare) },
  });
  const close = () => {
    onClose();
    form.reset();
  };
  const isPublic = apiKey.type === 'public';
  const submit = form.onSubmit((values) => {
    const rateLimit = RATE_LIMITS.find((each) => String(each) === values.rateLimit);
    const allowanceShare = ALLOWANCE_SHARES.find((each) => String(each) === values.allowanceShare);
    if (!form.isDirty()) return onClose();
    change.mutate(
      { rateLimit, ...(isPublic && { allowanceShare }) },
      {
        onSuccess: () => {
          toast.success('Limits saved');
          onClose();
        },
      },
    );
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={`Limits of …${apiKey.maskedValue.slice(-4)}`}
      submitLabel="Save limits"
      onSubmit={submit}
      isBusy={change.isPending}
      isDirty={form.isDirty()}
    >
      <NativeSelect
        label="Calls per minute"
        description={
          isPublic
            ? 'For each client: an IPv4 address, or an IPv6 /64 network. Further calls get 429 until the minute ends.'
            : 'In each Cloudflare location. Further calls get 429 until the minute ends.'
        }
        data={RATE_LIMITS.map((each) => ({ value: String(each), label: formatNumber(each) }))}
        {...form.getInputProps('rateLimit')}
      />
      {isPublic && (
        <NativeSelect
          label="Share of the monthly allowance"
          description="The key stops when all keys together have used this share of your plan's calls. The rest is reserved for secret keys. Applies to plans with an allowance."
          data={ALLOWANCE_SHARES.map((each) => ({ value: String(each), label: `${each} %` }))}
          {...form.getInputProps('allowanceShare')}
        />
      )}
    </FormDialog>
  );
}
