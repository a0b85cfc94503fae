/** Edits which states of subscriptions give access. */
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { StripeIntegration } from '#contracts/console/stripe';
import type { SubscriptionPolicy } from '#contracts/console/subscription-policy';
import { EditSection } from '#web/forms/edit-section.tsx';
import type { StripeFormProps } from './stripe-form.tsx';
import { useIntegrationForm } from './use-integration-form.ts';

const LABELS = { subscriptionPolicy: 'Access policy' };

const entriesOf = ({ subscriptionPolicy }: StripeIntegration) => ({ subscriptionPolicy });
const CHANGES = {
  carry: 'The period goes on, with what was used',
  restart: 'A new period begins',
  proportional: 'The period goes on, and each limit counts for its share of it',
} as const satisfies Record<NonNullable<SubscriptionPolicy['onPlanChange']>, string>;
type Entries = ReturnType<typeof entriesOf>;

/** One line for the notice of a conflict. */
function shown({ subscriptionPolicy: policy }: Entries): string {
  return [
    `past due ${policy.pastDueDays === null ? 'without limit' : `for ${policy.pastDueDays} days`}`,
    `paused ${policy.keepsPaused ? 'on' : 'off'}`,
    `unpaid ${policy.keepsUnpaid ? 'on' : 'off'}`,
    `trials without a payment method ${policy.grantsCardlessTrials ? 'on' : 'off'}`,
    CHANGES[policy.onPlanChange ?? 'carry'].toLowerCase(),
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
  const { pastDueDays, minDaysBetweenResets } = form.values.subscriptionPolicy;
  return (
    <EditSection
      title="Access policy"
      description="Which subscriptions give access. Access checks follow a change within 5 seconds."
      what="The integration"
      saveLabel="Save policy"
      edit={edit}
    >
      <TextInput
        label="Days of access while past due"
        description="From when Tessera first sees the subscription past due. Leave empty to keep access until Stripe cancels it or marks it unpaid."
        placeholder="No limit"
        inputMode="numeric"
        maw={480}
        error={form.errors['subscriptionPolicy.pastDueDays']}
        value={pastDueDays === null ? '' : String(pastDueDays)}
        onChange={({ currentTarget: { value } }) => {
          const digits = value.replaceAll(/\D/g, '');
          form.setFieldValue('subscriptionPolicy.pastDueDays', digits === '' ? null : Number(digits));
        }}
      />
      <Switch
        label="Keep access while payment collection is paused"
        {...form.getInputProps('subscriptionPolicy.keepsPaused', { type: 'checkbox' })}
      />
      <Switch
        label="Keep access while unpaid"
        description="Stripe has given up on a payment and keeps the subscription."
        {...form.getInputProps('subscriptionPolicy.keepsUnpaid', { type: 'checkbox' })}
      />
      <Switch
        label="Trials without a payment method give access"
        description="Trials that are paid by invoice need none."
        {...form.getInputProps('subscriptionPolicy.grantsCardlessTrials', { type: 'checkbox' })}
      />
      <NativeSelect
        label="When a subscription’s plan or quantity changes"
        description="For limits that count by billing period."
        maw={480}
        data={Object.entries(CHANGES).map(([value, label]) => ({ value, label }))}
        value={form.values.subscriptionPolicy.onPlanChange ?? 'carry'}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue(
            'subscriptionPolicy.onPlanChange',
            value === 'restart' || value === 'proportional' ? value : undefined,
          )
        }
      />
      <TextInput
        label="Minimum days between resets"
        description="Whoever cancels and subscribes again sooner goes on in the period of before, without a new quota. Leave empty for a new period each time."
        placeholder="0"
        inputMode="numeric"
        maw={480}
        error={form.errors['subscriptionPolicy.minDaysBetweenResets']}
        value={minDaysBetweenResets === undefined ? '' : String(minDaysBetweenResets)}
        onChange={({ currentTarget: { value } }) => {
          const digits = value.replaceAll(/\D/g, '');
          form.setFieldValue(
            'subscriptionPolicy.minDaysBetweenResets',
            digits === '' ? undefined : Number(digits),
          );
        }}
      />
    </EditSection>
  );
}
