/** Adjusts a customer's usage of a meter by an amount, with a reason. */
import { Box, TextInput } from '@mantine/core';
import { useState } from 'react';
import { correctMeterSchema, type Entitlement } from '#contracts/console/customers';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useFreshDialog } from '#web/ui/dialogs/use-fresh-dialog.ts';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import { ReasonField } from '../manual/reason-field.tsx';
import { useCorrectMeter } from '../mutations.ts';

export interface CorrectMeterDialogProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environmentId: string;
  /** Null while closed. */
  readonly entitlement: Entitlement | null;
  readonly onClose: () => void;
}

export function CorrectMeterDialog(props: CorrectMeterDialogProps) {
  const { shown, serial, dialog } = useFreshDialog(props.entitlement, props.onClose);
  if (shown === null) return null;
  // Another meter is another correction, with an idempotency key and a kept draft of its own.
  return <Correction key={`${serial} ${shown.propertyId}`} {...props} {...dialog} entitlement={shown} />;
}

type CorrectionProps = Omit<CorrectMeterDialogProps, 'entitlement'> & {
  readonly entitlement: Entitlement;
  readonly isOpen: boolean;
};

function Correction({ orgId, identifier, environmentId, entitlement, isOpen, onClose }: CorrectionProps) {
  const correct = useCorrectMeter(orgId, identifier);
  const customer = useCustomerName(orgId, identifier);
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<FormErrors>({});
  /** Idempotency key: the same for every retry, so a correction with a lost response counts once. */
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { meter, property, propertyId } = entitlement;
  const used = meter?.state === 'metered' ? meter.used : 0;
  const by = amount.trim() === '' ? null : Number(amount.replace('−', '-'));
  const submit = () => {
    const body = { environmentId, propertyId, by: by as number, reason, idempotencyKey };
    const found = checkForm(correctMeterSchema)(body);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    correct.mutate(body, {
      onSuccess: () => {
        toast.success('Usage adjusted', { description: sentence`${customer} · ${property}` });
        onClose();
      },
      onError: (error) => showFormError({ setErrors }, error, { fields: ['by', 'reason'] }),
    });
  };
  const isReadable = by !== null && Number.isSafeInteger(by);
  const isDirty = amount !== '' || reason !== '';
  useKeptDraft({
    name: `correct ${environmentId} ${propertyId} amount,reason`,
    read: () => (isDirty ? { amount, reason } : null),
    restore: (typed) => {
      setAmount(typed.amount ?? '');
      setReason(typed.reason ?? '');
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={sentence`Adjust ${property} usage for ${customer}`}
      submitLabel="Adjust usage"
      isBusy={correct.isPending}
      isDirty={isDirty}
      param="environment"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        label="Amount"
        description="Added to the current count. Use a negative number to reduce it."
        placeholder="-10"
        inputMode="numeric"
        required
        data-autofocus
        classNames={{ input: 'tiny mono breaks' }}
        value={amount}
        error={errors.by}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <Box component="p" c="dimmed" fz="sm" mt={-4} mb={0} className="figures" aria-live="polite">
        {isReadable
          ? `${formatNumber(used)} used now, ${formatNumber(Math.max(0, used + by))} afterwards.`
          : `${formatNumber(used)} used now.`}
      </Box>
      <ReasonField value={reason} error={errors.reason} onChange={setReason} />
    </FormDialog>
  );
}
