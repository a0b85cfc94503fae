/** Grants a plan to a customer by hand. */
import { Select } from '@mantine/core';
import { useState } from 'react';
import { toast } from 'sonner';
import { grantPlanSchema } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import type { Plan } from '#contracts/plans';
import { checkForm, errorsOf, type FormErrors } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { ReasonField } from './correct-meter-dialog.tsx';
import { useGrantPlan } from './mutations.ts';
import { type Scope, ScopeFields, untilOf } from './scope-fields.tsx';

export interface GrantPlanDialogProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly plans: readonly Plan[];
  readonly environments: readonly Environment[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const ANYWHERE: Scope = { environmentId: null, until: '' };

export function GrantPlanDialog(props: GrantPlanDialogProps) {
  const { orgId, identifier, plans, environments, isOpen, onClose } = props;
  const grant = useGrantPlan(orgId, identifier);
  const [planId, setPlanId] = useState<string | null>(null);
  const [scope, setScope] = useState(ANYWHERE);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<FormErrors>({});
  const close = () => {
    onClose();
    setPlanId(null);
    setScope(ANYWHERE);
    setReason('');
    setErrors({});
  };
  const submit = () => {
    const { environmentId } = scope;
    const body = { environmentId, planId: planId ?? '', reason, until: untilOf(scope) };
    const found = checkForm(grantPlanSchema)(body);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    grant.mutate(body, {
      onSuccess: () => {
        const name = plans.find((plan) => plan.planId === planId)?.name ?? 'The plan';
        toast.success('Plan granted', { description: `${name} is in force for ${identifier}.` });
        close();
      },
      onError: (error) => {
        const refused = errorsOf(error);
        setErrors(refused);
        if (Object.keys(refused).length > 0) return;
        const { title, description } = errorNotice(error);
        toast.error(title, { description });
      },
    });
  };
  const isDirty = planId !== null || reason !== '' || scope !== ANYWHERE;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={`Grant a plan to ${identifier}`}
      submitLabel="Grant plan"
      isBusy={grant.isPending}
      isDirty={isDirty}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UnsavedChanges isDirty={() => isOpen && isDirty} />
      <Select
        label="Plan"
        placeholder="Choose a plan"
        required
        searchable={plans.length > 8}
        openOnFocus={false}
        data={plans.map((plan) => ({ value: plan.planId, label: plan.name }))}
        value={planId}
        error={errors.planId}
        onChange={setPlanId}
        data-autofocus
      />
      <ScopeFields environments={environments} scope={scope} onChange={setScope} errors={errors} />
      <ReasonField value={reason} error={errors.reason} onChange={setReason} />
    </FormDialog>
  );
}
