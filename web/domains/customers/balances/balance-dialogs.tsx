/** Changes a balance: its end and priority, whether it is frozen, and what is taken back of it. Each has a reason. */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import {
  type CustomerBalance,
  changeBalanceSchema,
  takeBackBalanceSchema,
} from '#contracts/console/customer-balances';
import { ApiError } from '#web/api/api-error.ts';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useKeptDraft } from '#web/forms/use-kept-draft.ts';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { NeedsPlanField, PriorityField } from '#web/values/balance-fields.tsx';
import { readNumber } from '#web/values/number-text.ts';
import { EndField, readEnd } from '../manual/manual-entry-fields.tsx';
import { ReasonField } from '../manual/reason-field.tsx';
import { writeInstant } from '../manual/written-instant.ts';
import { useChangeBalance, useTakeBackBalance } from './balance-calls.ts';
import type { BalanceAction } from './balance-row.tsx';
import { balanceName, termsWords } from './balance-words.ts';

export interface BalanceDialogsProps {
  readonly orgId: string;
  /** The one that is looked at. */
  readonly environmentId: string;
  /** Null while closed. `balance` as it is now. */
  readonly chosen: { readonly balance: CustomerBalance; readonly action: BalanceAction } | null;
  readonly onClose: () => void;
}

export function BalanceDialogs(props: BalanceDialogsProps) {
  const shown = useLastValue(props.chosen);
  if (shown === null) return null;
  const { balance, action } = shown;
  const isOpen = props.chosen !== null;
  const Dialog = DIALOGS[action];
  // Each opening is another form, which begins with the balance as it is then.
  return <Dialog key={`${isOpen} ${balance.id}`} {...props} balance={balance} isOpen={isOpen} />;
}

type DialogProps = Omit<BalanceDialogsProps, 'chosen'> & {
  readonly balance: CustomerBalance;
  readonly isOpen: boolean;
};

const DIALOGS: Readonly<Record<BalanceAction, (props: DialogProps) => ReactNode>> = {
  change: ChangeDialog,
  freeze: FreezeDialog,
  'take-back': TakeBackDialog,
};

/**
 * The balance that a form is based on: as it was when the form opened, and after a conflict as it is now.
 * @returns `conflict`, what the form says after somebody else's change
 */
function useBasis(balance: CustomerBalance) {
  const [basis, setBasis] = useState(balance);
  const [isConflict, setIsConflict] = useState(false);
  if (isConflict && basis.updatedAt !== balance.updatedAt) setBasis(balance);
  return {
    basis,
    /** Whether the error was a conflict, which the form then shows. */
    meetConflict: (error: Error): boolean => {
      const is = error instanceof ApiError && error.errorType === 'conflict';
      setIsConflict(is);
      return is;
    },
    conflict: isConflict && (
      <Notice title="Somebody changed this balance in the meantime" role="alert">
        {sentence`It now has ${termsWords(basis)}. Submit again to save your change to it.`}
      </Notice>
    ),
  };
}

interface ChangeForm {
  endsAt: string;
  priority: string;
  needsPlan: boolean;
  reason: string;
}

function ChangeDialog({ orgId, balance, isOpen, onClose }: DialogProps) {
  const { basis, meetConflict, conflict } = useBasis(balance);
  const change = useChangeBalance(orgId, balance);
  const name = balanceName(balance);
  const [start] = useState<ChangeForm>(() => ({
    endsAt: balance.endsAt === null ? '' : writeInstant(balance.endsAt),
    priority: String(balance.priority),
    needsPlan: balance.needsPlan,
    reason: '',
  }));
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<FormErrors>({});
  const set = (changed: Partial<ChangeForm>) => setValues((before) => ({ ...before, ...changed }));
  // What was not touched is not sent, so that it stays as somebody else left it.
  const changes = {
    ...(values.endsAt !== start.endsAt && { endsAt: readEnd(values.endsAt) }),
    ...(values.priority !== start.priority && { priority: readNumber(values.priority) as number }),
    ...(values.needsPlan !== start.needsPlan && { needsPlan: values.needsPlan }),
  };
  const isDirty = Object.keys(changes).length > 0 || values.reason !== '';
  useKeptDraft<ChangeForm>({
    name: `balance ${balance.id} ${Object.keys(start).join()}`,
    read: () => (isDirty ? values : null),
    restore: set,
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={sentence`Change ${name}`}
      submitLabel="Save changes"
      isBusy={change.isPending}
      isDirty={isDirty}
      isSubmitDisabled={Object.keys(changes).length === 0}
      param="environment"
      onSubmit={(event) => {
        event.preventDefault();
        const body = { updatedAt: basis.updatedAt, ...changes, reason: values.reason };
        const found = checkForm(changeBalanceSchema)(body);
        setErrors(found);
        if (Object.keys(found).length > 0) return;
        change.mutate(body, {
          onSuccess: () => {
            toast.success('Balance changed', { description: name });
            onClose();
          },
          onError: (error) => meetConflict(error) || showFormError({ setErrors }, error),
        });
      }}
    >
      {conflict}
      <EndField
        label="Ends"
        value={values.endsAt}
        error={errors.endsAt}
        onChange={(endsAt) => set({ endsAt })}
      />
      <PriorityField
        value={values.priority}
        error={errors.priority}
        onChange={(priority) => set({ priority })}
      />
      <NeedsPlanField value={values.needsPlan} onChange={(needsPlan) => set({ needsPlan })} />
      <ReasonField value={values.reason} error={errors.reason} onChange={(reason) => set({ reason })} />
    </FormDialog>
  );
}

function FreezeDialog({ orgId, balance, isOpen, onClose }: DialogProps) {
  const { basis, meetConflict, conflict } = useBasis(balance);
  const change = useChangeBalance(orgId, balance);
  const name = balanceName(balance);
  const [isFrozen] = useState(balance.isFrozen);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<FormErrors>({});
  useKeptDraft({
    name: `freeze balance ${balance.id} reason`,
    read: () => (reason === '' ? null : { reason }),
    restore: (typed) => setReason(typed.reason ?? ''),
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={isFrozen ? sentence`Unfreeze ${name}` : sentence`Freeze ${name}`}
      submitLabel={isFrozen ? 'Unfreeze balance' : 'Freeze balance'}
      isBusy={change.isPending}
      isDirty={reason !== ''}
      param="environment"
      onSubmit={(event) => {
        event.preventDefault();
        const body = { updatedAt: basis.updatedAt, frozen: !isFrozen, reason };
        const found = checkForm(changeBalanceSchema)(body);
        setErrors(found);
        if (Object.keys(found).length > 0) return;
        change.mutate(body, {
          onSuccess: () => {
            toast.success(isFrozen ? 'Balance unfrozen' : 'Balance frozen', { description: name });
            onClose();
          },
          onError: (error) => meetConflict(error) || showFormError({ setErrors }, error),
        });
      }}
    >
      {conflict}
      <p className="flush small">
        {isFrozen
          ? 'What is left can be used again within 5 seconds.'
          : 'Nothing is taken from it until you unfreeze it. Other balances stay as they are.'}
      </p>
      <ReasonField value={reason} error={errors.reason} onChange={setReason} />
    </FormDialog>
  );
}

function TakeBackDialog({ orgId, environmentId, balance, isOpen, onClose }: DialogProps) {
  const { basis, meetConflict, conflict } = useBasis(balance);
  const takeBack = useTakeBackBalance(orgId, balance);
  const name = balanceName(balance);
  const [start] = useState(balance.remaining === null ? '' : formatNumber(balance.remaining));
  const [amount, setAmount] = useState(start);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<FormErrors>({});
  const isDirty = amount !== start || reason !== '';
  useKeptDraft({
    name: `take back ${balance.id} amount,reason`,
    read: () => (isDirty ? { amount, reason } : null),
    restore: (typed) => {
      setAmount(typed.amount ?? start);
      setReason(typed.reason ?? '');
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={sentence`Take back from ${name}`}
      submitLabel="Take back"
      isBusy={takeBack.isPending}
      isDirty={isDirty}
      isDanger
      param="environment"
      onSubmit={(event) => {
        event.preventDefault();
        const body = {
          updatedAt: basis.updatedAt,
          environmentId,
          amount: readNumber(amount) as number,
          reason,
        };
        const found = checkForm(takeBackBalanceSchema)(body);
        setErrors(found);
        if (Object.keys(found).length > 0) return;
        takeBack.mutate(body, {
          onSuccess: ({ applied }) => {
            toast.success(sentence`${formatNumber(applied)} taken back`, {
              description: applied < body.amount ? sentence`${name}: the rest was used or held.` : name,
            });
            onClose();
          },
          onError: (error) => meetConflict(error) || showFormError({ setErrors }, error),
        });
      }}
    >
      {conflict}
      <TextInput
        label="Amount"
        description={
          balance.remaining === null
            ? 'Usage can’t be read right now.'
            : sentence`${formatNumber(balance.remaining)} of ${formatNumber(balance.amount)} are left. What is used${balance.held === undefined ? '' : ' or held'} stays.`
        }
        inputMode="numeric"
        autoComplete="off"
        required
        data-autofocus
        classNames={{ input: 'tiny mono' }}
        value={amount}
        error={errors.amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <ReasonField value={reason} error={errors.reason} onChange={setReason} />
    </FormDialog>
  );
}
