/** Fields that giving a balance, changing it and saying what a payment gives share. */
import { Flex, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { SegmentedInput } from '#web/ui/inputs/segmented-input.tsx';
import { readMinor } from './money-text.ts';

/** Of balances that people give: those of plans have one of their own. */
export type GivenCategory = 'paid' | 'promotional';

/** A meter that an amount can be of. */
export interface MeterChoice {
  readonly propertyId: string;
  /** 'data-exports.exports'. */
  readonly name: string;
}

const CATEGORIES = [
  { value: 'paid', label: 'Paid' },
  { value: 'promotional', label: 'Promotional' },
];

export function AmountField(props: {
  readonly label: string;
  readonly description: string;
  readonly isFocused?: boolean;
  /** As written. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (amount: string) => void;
}) {
  const { label, description, isFocused, value, error, onChange } = props;
  return (
    <TextInput
      label={label}
      description={description}
      placeholder="10,000"
      inputMode="numeric"
      autoComplete="off"
      required
      data-autofocus={isFocused}
      classNames={{ input: 'tiny mono' }}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function CategoryField(props: {
  readonly value: GivenCategory;
  readonly onChange: (category: GivenCategory) => void;
}) {
  const { value, onChange } = props;
  return (
    <SegmentedInput
      label="Category"
      description="Promotional is used before paid if both end together."
      data={CATEGORIES}
      value={value}
      onChange={(category) => onChange(category as GivenCategory)}
    />
  );
}

export function PaidField(props: {
  /** As written; both empty: unknown, or nothing. */
  readonly paid: string;
  readonly currency: string;
  readonly paidError: ReactNode;
  readonly currencyError: ReactNode;
  readonly onPaid: (paid: string) => void;
  readonly onCurrency: (currency: string) => void;
}) {
  const { paid, currency, paidError, currencyError, onPaid, onCurrency } = props;
  const isUnreadable = Number.isNaN(readMinor(paid, currency.toLowerCase()));
  return (
    <Flex gap={12} align="flex-start">
      <TextInput
        className="grow"
        label="Price paid"
        description="For your records only."
        placeholder="49.90"
        inputMode="decimal"
        autoComplete="off"
        classNames={{ input: 'tiny mono' }}
        value={paid}
        error={paidError && isUnreadable ? 'Write it like 49.90' : paidError}
        onChange={(event) => onPaid(event.currentTarget.value)}
      />
      <TextInput
        w={120}
        label="Currency"
        description="Three letters."
        placeholder="USD"
        autoComplete="off"
        maxLength={3}
        classNames={{ input: 'tiny mono' }}
        value={currency}
        error={
          currencyError === undefined || currencyError === 'Required'
            ? currencyError
            : 'Must be three letters'
        }
        onChange={(event) => onCurrency(event.currentTarget.value.toUpperCase())}
      />
    </Flex>
  );
}

export function PriorityField(props: {
  /** As written. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (priority: string) => void;
}) {
  const { value, error, onChange } = props;
  return (
    <TextInput
      label="Priority"
      description="0 is used first, 100 last. The plans’ quota has 40."
      inputMode="numeric"
      autoComplete="off"
      required
      classNames={{ input: 'tiny mono' }}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function MemberField(props: {
  /** Empty: the customer's own. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (entityId: string) => void;
}) {
  const { value, error, onChange } = props;
  return (
    <TextInput
      label="Member"
      description="Only calls with this entityId use it. Leave it empty for the whole customer."
      placeholder="user_7"
      autoComplete="off"
      classNames={{ input: 'tiny mono' }}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function PaysOverageField(props: {
  readonly value: boolean;
  readonly error?: ReactNode;
  readonly onChange: (paysOverage: boolean) => void;
}) {
  const { value, error, onChange } = props;
  return (
    <Switch
      label="Pays overage"
      description="Usage above quota and balances is paid from it first, as far as it lasts."
      checked={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export function NeedsPlanField(props: {
  readonly value: boolean;
  readonly onChange: (needsPlan: boolean) => void;
}) {
  const { value, onChange } = props;
  return (
    <Switch
      label="Only with a plan"
      description="Counts while the customer has a plan with this meter, other than one that everyone has."
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
