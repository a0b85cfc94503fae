/** Grants a plan to a customer by hand. */
import { Select } from '@mantine/core';
import { toast } from 'sonner';
import { type CustomerGrant, grantPlanSchema } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import type { Plan } from '#contracts/plans';
import { checkForm } from '../../api/check-form.ts';
import { showRefusal } from '../../forms/show-refusal.ts';
import { useCreateForm } from '../../forms/use-create-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import {
  CircumstanceFields,
  type Circumstances,
  circumstancesOf,
  NO_CIRCUMSTANCES,
} from './circumstance-fields.tsx';
import { useGrantPlan } from './mutations.ts';

export interface GrantPlanDialogProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly plans: readonly Plan[];
  readonly environments: readonly Environment[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

interface Grant extends Circumstances {
  planId: string;
}

const EMPTY: Grant = { planId: '', ...NO_CIRCUMSTANCES };
const bodyOf = (grant: Grant) => ({ planId: grant.planId, ...circumstancesOf(grant) });

export function GrantPlanDialog(props: GrantPlanDialogProps) {
  const { orgId, identifier, plans, environments, isOpen, onClose } = props;
  const grant = useGrantPlan(orgId, identifier);
  const { form, dialog } = useCreateForm<Grant, CustomerGrant>({
    initialValues: EMPTY,
    validate: (values) => checkForm(grantPlanSchema)(bodyOf(values)),
    create: { ...grant, mutate: (values, answer) => grant.mutate(bodyOf(values), answer) },
    onClose,
    onCreated: ({ planId }) => {
      const name = plans.find((plan) => plan.planId === planId)?.name ?? 'The plan';
      toast.success('Plan granted', { description: `${name} is in force for ${identifier}.` });
    },
    showRefusal,
  });
  return (
    <FormDialog {...dialog} isOpen={isOpen} title={`Grant a plan to ${identifier}`} submitLabel="Grant plan">
      <UnsavedChanges isDirty={() => isOpen && dialog.isDirty} />
      <Select
        label="Plan"
        placeholder="Choose a plan"
        required
        searchable={plans.length > 8}
        openOnFocus={false}
        data={plans.map((plan) => ({ value: plan.planId, label: plan.name }))}
        value={form.values.planId || null}
        error={form.errors.planId}
        onChange={(planId) => form.setFieldValue('planId', planId ?? '')}
        data-autofocus
      />
      <CircumstanceFields form={form} environments={environments} />
    </FormDialog>
  );
}
