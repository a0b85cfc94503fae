/** Edits which states of subscriptions give access. */
import { Divider, Fieldset, NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { StripeIntegration } from '#contracts/console/stripe';
import type { SubscriptionPolicy } from '#contracts/console/subscription-policy';
import { EditSection } from '#web/forms/edit-section.tsx';
import type { StripeFormProps } from './stripe-form.tsx';
import { useIntegrationForm } from './use-integration-form.ts';

const LABELS = { subscriptionPolicy: 'Access policy' };

const entriesOf = ({ subscriptionPolicy }: StripeIntegration) => ({ subscriptionPolicy });
const CHANGES = {
  carry: { label: 'Keep the period', effect: 'Usage stays and counts against the new limit.' },
  restart: { label: 'Start a new period', effect: 'Customers get the full new limit with each change.' },
  proportional: { label: 'Prorate the limits', effect: 'Each limit counts for its share of the period.' },
} as const satisfies Record<NonNullable<SubscriptionPolicy['onPlanChange']>, object>;
type Entries = ReturnType<typeof entriesOf>;

/** One line for the notice of a conflict. */
function shown({ subscriptionPolicy: policy }: Entries): string {
  return [
    `past due ${policy.pastDueDays === null ? 'without limit' : `for ${policy.pastDueDays} days`}`,
    `paused ${policy.keepsPaused ? 'on' : 'off'}`,
    `unpaid ${policy.keepsUnpaid ? 'on' : 'off'}`,
    `trials without a payment method ${policy.grantsCardlessTrials ? 'on' : 'off'}`,
    `plan changes ${CHANGES[policy.onPlanChange ?? 'carry'].label.toLowerCase()}`,
    `${policy.minDaysBetweenResets ?? 0} days between resets at least`,
  ].join(', ');
}

export function PolicySection({ integration }: StripeFormProps) {
  const edit = useIntegrationForm(integration, {
    valuesOf: entriesOf,
    savedTitle: 'Access policy updated',
    labels: LABELS,
    shown,
  });
  const { form } = edit;
  const policy = form.values.subscriptionPolicy;
  const { onPlanChange = 'carry' } = policy;
  const check = (field: 'keepsPaused' | 'keepsUnpaid' | 'grantsCardlessTrials') =>
    form.getInputProps(`subscriptionPolicy.${field}`, { type: 'checkbox' });
  return (
    <EditSection
      title="Access policy"
      description="Which subscriptions give access, and what their changes do to billing periods. Access checks follow a change within 5 seconds."
      what="The integration"
      saveLabel="Save policy"
      edit={edit}
    >
      <DaysInput
        label="Days of access while past due"
        description="From when Tessera first sees the subscription past due. Leave empty to keep access until Stripe cancels it or marks it unpaid."
        placeholder="No limit"
        error={form.errors['subscriptionPolicy.pastDueDays']}
        value={policy.pastDueDays}
        onChange={(days) => form.setFieldValue('subscriptionPolicy.pastDueDays', days)}
      />
      <Switch label="Keep access while payment collection is paused" {...check('keepsPaused')} />
      <Switch
        label="Keep access while unpaid"
        description="Stripe has given up on a payment and keeps the subscription."
        {...check('keepsUnpaid')}
      />
      <Switch
        label="Trials without a payment method give access"
        description="Trials that are paid by invoice need none."
        {...check('grantsCardlessTrials')}
      />
      <Divider maw={480} />
      <Fieldset legend="Billing periods" maw={480} styles={{ legend: { marginBottom: 12, fontWeight: 600 } }}>
        <Stack gap="md">
          <NativeSelect
            label="When a subscription’s plan or quantity changes"
            description={`${CHANGES[onPlanChange].effect} For limits per billing period.`}
            data={Object.entries(CHANGES).map(([value, { label }]) => ({ value, label }))}
            value={onPlanChange}
            onChange={({ currentTarget: { value } }) =>
              form.setFieldValue(
                'subscriptionPolicy.onPlanChange',
                value === 'restart' || value === 'proportional' ? value : undefined,
              )
            }
          />
          <DaysInput
            label="Minimum days between resets"
            description="Customers who cancel and subscribe again sooner continue their last period, without a new quota. Leave empty to start a new period each time."
            placeholder="0"
            error={form.errors['subscriptionPolicy.minDaysBetweenResets']}
            value={policy.minDaysBetweenResets ?? null}
            onChange={(days) =>
              form.setFieldValue('subscriptionPolicy.minDaysBetweenResets', days ?? undefined)
            }
          />
        </Stack>
      </Fieldset>
    </EditSection>
  );
}

interface DaysInputProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly error: ReactNode;
  /** Null: empty. */
  readonly value: number | null;
  readonly onChange: (days: number | null) => void;
}

/** A whole number of days. What is no digit is not taken. */
function DaysInput({ value, onChange, ...field }: DaysInputProps) {
  return (
    <TextInput
      {...field}
      maw={480}
      inputMode="numeric"
      autoComplete="off"
      styles={{ wrapper: { maxWidth: 140 } }}
      value={value === null ? '' : String(value)}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replaceAll(/\D/g, '');
        onChange(digits === '' ? null : Number(digits));
      }}
    />
  );
}
