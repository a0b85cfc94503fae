/** Grants a plan to a customer manually. */
import { Select } from '@mantine/core';
import { grantPlanSchema } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import { checkForm } from '#web/api/check-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { sentence } from '#web/ui/format.ts';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import { type DialogState, ManualEntryDialog } from '../manual/manual-entry-dialog.tsx';
import { type EntryTerms, newTerms, termsBody } from '../manual/manual-entry-fields.tsx';
import { useGrantPlan } from '../mutations.ts';

export interface GrantPlanDialogProps extends DialogState {
  readonly identifier: string;
  /** The one that is looked at: the grant is for it. */
  readonly environmentId: string;
  readonly plans: readonly Plan[];
  readonly environments: readonly Environment[];
}

/** Further plans are found by typing. */
const MOST_OPTIONS = 100;

type GrantValues = EntryTerms & { planId: string };
const bodyOf = ({ planId, ...terms }: GrantValues) => ({ planId, ...termsBody(terms) });

export function GrantPlanDialog({ identifier, environmentId, plans, ...dialog }: GrantPlanDialogProps) {
  const orgId = useOrgId();
  const customer = useCustomerName(orgId, identifier);
  return (
    <ManualEntryDialog
      {...dialog}
      title={sentence`Grant a plan to ${customer}`}
      submitLabel="Grant plan"
      initialValues={{ planId: '', ...newTerms(environmentId) }}
      validate={(values) => checkForm(grantPlanSchema)(bodyOf(values))}
      bodyOf={bodyOf}
      create={useGrantPlan(orgId, identifier)}
      toastOf={({ planId }) => {
        const name = plans.find((plan) => plan.planId === planId)?.name ?? 'The plan';
        return { title: 'Plan granted', description: sentence`${name} now applies to ${customer}.` };
      }}
    >
      {(form) => (
        <Select
          label="Plan"
          placeholder="Choose a plan"
          required
          searchable={plans.length > 8}
          openOnFocus={false}
          limit={MOST_OPTIONS}
          data={plans.map((plan) => ({ value: plan.planId, label: plan.name }))}
          value={form.values.planId || null}
          error={form.errors.planId}
          onChange={(planId) => form.setFieldValue('planId', planId ?? '')}
          data-autofocus
        />
      )}
    </ManualEntryDialog>
  );
}
