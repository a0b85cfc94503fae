/** Gives a customer a balance of a meter: an amount beside the quota of the plans. */
import { giveBalanceSchema } from '#contracts/console/customer-balances';
import type { Environment } from '#contracts/console/environments';
import { checkForm } from '#web/api/check-form.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useFreshDialog } from '#web/ui/dialogs/use-fresh-dialog.ts';
import { formatNumber, sentence } from '#web/ui/format.ts';
import {
  AmountField,
  CategoryField,
  type GivenCategory,
  MemberField,
  type MeterChoice,
  NeedsPlanField,
  PaidField,
  PaysOverageField,
  PriorityField,
} from '#web/values/balance-fields.tsx';
import { readMinor } from '#web/values/money-text.ts';
import { readNumber } from '#web/values/number-text.ts';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import {
  EndField,
  EnvironmentField,
  readEnd,
  readStart,
  StartField,
} from '../manual/manual-entry-fields.tsx';
import { ReasonField } from '../manual/reason-field.tsx';
import { useGiveBalance } from './balance-calls.ts';

export interface AddBalanceProps {
  readonly identifier: string;
  /** The one that is looked at: the balance is for it. */
  readonly environmentId: string;
  readonly environments: readonly Environment[];
  /** Null while closed. */
  readonly meter: MeterChoice | null;
  readonly onClose: () => void;
}

export function AddBalanceDialog(props: AddBalanceProps) {
  const { shown, serial, dialog } = useFreshDialog(props.meter, props.onClose);
  if (shown === null) return null;
  // Another meter is another form, with a kept draft of its own.
  return <NewBalance key={`${serial} ${shown.propertyId}`} {...props} {...dialog} meter={shown} />;
}

interface NewBalanceProps extends AddBalanceProps {
  readonly meter: MeterChoice;
  readonly isOpen: boolean;
}

interface BalanceValues {
  /** As written. */
  amount: string;
  category: GivenCategory;
  paid: string;
  currency: string;
  startsAt: string;
  endsAt: string;
  priority: string;
  needsPlan: boolean;
  paysOverage: boolean;
  environmentId: string | null;
  /** Empty: the customer's own. */
  entityId: string;
  reason: string;
}

/** Null without either: unknown, or nothing. */
function costBasisOf({ paid, currency }: BalanceValues) {
  const code = currency.trim().toLowerCase();
  const amountMinor = readMinor(paid, code);
  return amountMinor === null && code === ''
    ? null
    : { currency: code, amountMinor: amountMinor ?? (undefined as never) };
}

const bodyOf = (propertyId: string, values: BalanceValues) => ({
  propertyId,
  environmentId: values.environmentId,
  amount: readNumber(values.amount) as number,
  category: values.category,
  costBasis: costBasisOf(values),
  startsAt: readStart(values.startsAt),
  endsAt: readEnd(values.endsAt),
  priority: readNumber(values.priority) ?? undefined,
  needsPlan: values.needsPlan,
  paysOverage: values.paysOverage,
  entityId: values.entityId === '' ? undefined : values.entityId,
  reason: values.reason,
});

function NewBalance({ identifier, environmentId, environments, meter, isOpen, onClose }: NewBalanceProps) {
  const orgId = useOrgId();
  const customer = useCustomerName(orgId, identifier);
  const give = useGiveBalance(orgId, identifier);
  const { propertyId, name } = meter;
  const { form, dialog } = useCreateForm<BalanceValues, { readonly id: string }>({
    initialValues: {
      ...{ amount: '', category: 'paid', paid: '', currency: '', startsAt: '', endsAt: '' },
      ...{ priority: '50', needsPlan: false, paysOverage: false, environmentId },
      ...{ entityId: '', reason: '' },
    },
    validate: (values) => {
      const body = bodyOf(propertyId, values);
      const errors = checkForm(giveBalanceSchema)(body);
      const endsFirst = (body.endsAt ?? Number.POSITIVE_INFINITY) <= (body.startsAt ?? 0);
      return endsFirst && errors.endsAt === undefined
        ? { ...errors, endsAt: 'Must be after the start' }
        : errors;
    },
    create: {
      ...give,
      mutate: (values, answer) => give.mutate(bodyOf(propertyId, values), answer),
    },
    onClose,
    onCreated: () =>
      toast.success('Balance added', {
        description: sentence`${formatNumber(readNumber(form.values.amount) ?? 0)} ${name} for ${customer}`,
      }),
  });
  const { values, errors, setFieldValue } = form;
  return (
    <FormDialog
      {...dialog}
      param="environment"
      isOpen={isOpen}
      title={sentence`Add a balance for ${customer}`}
      submitLabel="Add balance"
    >
      <AmountField
        label={sentence`Amount of ${name}`}
        description="It can’t be changed later: take back what is too much, or add another balance."
        isFocused
        value={values.amount}
        error={errors.amount}
        onChange={(amount) => setFieldValue('amount', amount)}
      />
      <CategoryField value={values.category} onChange={(category) => setFieldValue('category', category)} />
      <PaidField
        paid={values.paid}
        currency={values.currency}
        paidError={errors['costBasis.amountMinor']}
        currencyError={errors['costBasis.currency']}
        onPaid={(paid) => setFieldValue('paid', paid)}
        onCurrency={(currency) => setFieldValue('currency', currency)}
      />
      <StartField
        label="Starts"
        value={values.startsAt}
        error={errors.startsAt}
        onChange={(startsAt) => setFieldValue('startsAt', startsAt)}
      />
      <EndField
        label="Ends"
        value={values.endsAt}
        error={errors.endsAt}
        onChange={(endsAt) => setFieldValue('endsAt', endsAt)}
      />
      <ReasonField
        value={values.reason}
        error={errors.reason}
        onChange={(reason) => setFieldValue('reason', reason)}
      />
      <EnvironmentField
        environments={environments}
        value={values.environmentId}
        error={errors.environmentId ?? errors.propertyId}
        onChange={(chosen) => setFieldValue('environmentId', chosen)}
      />
      <MemberField
        value={values.entityId}
        error={errors.entityId}
        onChange={(entityId) => setFieldValue('entityId', entityId)}
      />
      <PriorityField
        value={values.priority}
        error={errors.priority}
        onChange={(priority) => setFieldValue('priority', priority)}
      />
      <NeedsPlanField
        value={values.needsPlan}
        onChange={(needsPlan) => setFieldValue('needsPlan', needsPlan)}
      />
      <PaysOverageField
        value={values.paysOverage}
        error={errors.paysOverage}
        onChange={(paysOverage) => setFieldValue('paysOverage', paysOverage)}
      />
    </FormDialog>
  );
}
