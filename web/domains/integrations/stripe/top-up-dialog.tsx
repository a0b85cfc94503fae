/** Links a one-time price to an amount of a meter, or changes what it gives. */
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StripeIntegration } from '#contracts/console/stripe';
import { setTopUpSchema, type TopUp } from '#contracts/console/top-ups';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { useFreshDialog } from '#web/ui/dialogs/use-fresh-dialog.ts';
import {
  AmountField,
  CategoryField,
  type MeterChoice,
  PaysOverageField,
  PriorityField,
} from '#web/values/balance-fields.tsx';
import { readNumber } from '#web/values/number-text.ts';
import { stripeProductsQuery } from './queries.ts';
import { oneTimePricesQuery, useSetTopUp } from './top-ups.ts';

export interface TopUpDialogProps {
  readonly integration: StripeIntegration;
  readonly meters: readonly MeterChoice[];
  /** Null while closed; without a top-up: a price that gives nothing yet. */
  readonly chosen: { readonly topUp: TopUp | null } | null;
  readonly onClose: () => void;
}

export function TopUpDialog(props: TopUpDialogProps) {
  const { shown, serial, dialog } = useFreshDialog(props.chosen, props.onClose);
  if (shown === null) return null;
  const { topUp } = shown;
  return <TopUpForm key={`${serial} ${topUp?.priceId ?? ''}`} {...props} {...dialog} topUp={topUp} />;
}

type TopUpFormProps = Omit<TopUpDialogProps, 'chosen'> & {
  readonly topUp: TopUp | null;
  readonly isOpen: boolean;
};

interface TopUpValues {
  productId: string;
  priceId: string;
  propertyId: string;
  /** As written. */
  amount: string;
  category: TopUp['category'];
  priority: string;
  lastsMonths: string;
  paysOverage: boolean;
}

const bodyOf = ({ amount, priority, lastsMonths, priceId: _, ...given }: TopUpValues) => ({
  ...given,
  amount: readNumber(amount) as number,
  priority: readNumber(priority) as number,
  lastsMonths: readNumber(lastsMonths),
});

function validate(values: TopUpValues): FormErrors {
  const errors = checkForm(setTopUpSchema)(bodyOf(values));
  return {
    ...errors,
    ...(values.productId === '' && { productId: 'Choose a product' }),
    ...(values.priceId === '' && values.productId !== '' && { priceId: 'Choose a price' }),
    ...(values.propertyId === '' && { propertyId: 'Choose a meter' }),
  };
}

/** Further products are found by typing. */
const FIRST = { query: '', cursor: null, isUnderWay: false, syncedAt: 0 } as const;

function TopUpForm({ integration, meters, topUp, isOpen, onClose }: TopUpFormProps) {
  const orgId = useOrgId();
  const set = useSetTopUp(orgId, integration.id);
  const [search, setSearch] = useState('');
  const { form, dialog } = useCreateForm<TopUpValues, TopUp>({
    initialValues: {
      productId: topUp?.productId ?? '',
      priceId: topUp?.priceId ?? '',
      propertyId: topUp?.propertyId ?? (meters.length === 1 ? (meters[0]?.propertyId ?? '') : ''),
      amount: topUp === null ? '' : String(topUp.amount),
      category: topUp?.category ?? 'paid',
      priority: String(topUp?.priority ?? 50),
      lastsMonths: topUp?.lastsMonths == null ? '' : String(topUp.lastsMonths),
      paysOverage: topUp?.paysOverage ?? false,
    },
    validate,
    create: {
      ...set,
      mutate: (values, answer) => set.mutate({ priceId: values.priceId, body: bodyOf(values) }, answer),
    },
    onClose,
    onCreated: ({ priceName }) =>
      toast.success(topUp === null ? 'Price linked' : 'Top-up changed', { description: priceName }),
  });
  const { values, errors, setFieldValue } = form;
  const products = useQuery({
    ...stripeProductsQuery(orgId, integration.id, { ...FIRST, query: search }),
    enabled: isOpen && topUp === null,
  });
  const prices = useQuery({
    ...oneTimePricesQuery(orgId, integration.id, values.productId),
    enabled: isOpen && topUp === null && values.productId !== '',
  });
  const priceHint =
    values.productId !== '' && prices.data?.length === 0 ? 'This product has no one-time price.' : undefined;
  return (
    <FormDialog
      {...dialog}
      param="top-up"
      isOpen={isOpen}
      title={topUp === null ? 'Link a one-time price' : `Edit what ${topUp.priceName} gives`}
      submitLabel={topUp === null ? 'Link price' : 'Save'}
    >
      {topUp === null && (
        <>
          <Select
            label="Product"
            placeholder="Choose a product"
            required
            searchable
            openOnFocus={false}
            data={(products.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            filter={({ options }) => options}
            onSearchChange={setSearch}
            value={values.productId || null}
            error={errors.productId}
            nothingFoundMessage="No product has this name"
            onChange={(productId) => {
              setFieldValue('productId', productId ?? '');
              setFieldValue('priceId', '');
            }}
            data-autofocus
          />
          <Select
            label="One-time price"
            placeholder="Choose a price"
            description={priceHint}
            required
            openOnFocus={false}
            disabled={values.productId === ''}
            data={(prices.data ?? []).map(({ priceId, name, active }) => ({
              value: priceId,
              label: active ? name : `${name} (archived)`,
            }))}
            value={values.priceId || null}
            error={errors.priceId ?? (prices.error ? prices.error.message : undefined)}
            onChange={(priceId) => setFieldValue('priceId', priceId ?? '')}
          />
        </>
      )}
      <Select
        label="Meter"
        placeholder="Choose a meter"
        required
        searchable={meters.length > 8}
        openOnFocus={false}
        data={meters.map(({ propertyId, name }) => ({ value: propertyId, label: name }))}
        value={values.propertyId || null}
        error={errors.propertyId}
        onChange={(propertyId) => setFieldValue('propertyId', propertyId ?? '')}
      />
      <AmountField
        label="Amount"
        description="Per unit bought."
        value={values.amount}
        error={errors.amount}
        onChange={(amount) => setFieldValue('amount', amount)}
      />
      <CategoryField value={values.category} onChange={(category) => setFieldValue('category', category)} />
      <TextInput
        label="Lasts"
        description="Months from the payment. Leave empty for no end."
        placeholder="No end"
        inputMode="numeric"
        autoComplete="off"
        value={values.lastsMonths}
        error={errors.lastsMonths}
        onChange={(event) => setFieldValue('lastsMonths', event.currentTarget.value)}
      />
      <PriorityField
        value={values.priority}
        error={errors.priority}
        onChange={(priority) => setFieldValue('priority', priority)}
      />
      <PaysOverageField
        value={values.paysOverage}
        onChange={(paysOverage) => setFieldValue('paysOverage', paysOverage)}
      />
    </FormDialog>
  );
}
