/** A plan's name, slug, description, and who has it without being on it by a product. Only what was changed is sent. */
import { Button, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { type Plan, planSchema, updatePlanSchema } from '#contracts/plans';
import { ApiError } from '../../api/api-error.ts';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { changedFields, mergeEdits } from '../../api/merge-edits.ts';
import { EditConflict } from '../../ui/edit-conflict.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useUpdatePlan } from './mutations.ts';

interface PlanValues {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly grantToAnonymousSessions: boolean;
  readonly grantToAuthenticatedUsers: boolean;
}

const LABELS: Record<keyof PlanValues, string> = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  grantToAnonymousSessions: 'Assign to Anonymous Users',
  grantToAuthenticatedUsers: 'Assign to Registered Users',
};

const valuesOf = (plan: Plan): PlanValues => ({
  name: plan.name,
  slug: plan.planSlug,
  description: plan.description ?? '',
  grantToAnonymousSessions: plan.grantToAnonymousSessions,
  grantToAuthenticatedUsers: plan.grantToAuthenticatedUsers,
});

interface Conflict {
  readonly theirs: PlanValues;
  readonly conflicts: readonly (keyof PlanValues)[];
  readonly taken: readonly (keyof PlanValues)[];
}

export function PlanForm({ orgId, plan }: { orgId: string; plan: Plan }) {
  const update = useUpdatePlan(orgId, plan.planId);
  /** What the edit is made on. */
  const [base, setBase] = useState(plan);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const form = useForm<PlanValues>({
    initialValues: valuesOf(plan),
    validate: checkForm(updatePlanSchema),
  });

  const startFrom = (standing: Plan) => {
    setBase(standing);
    setConflict(null);
    form.setValues(valuesOf(standing));
    form.resetDirty(valuesOf(standing));
  };
  // A form in which nothing was typed follows what stands.
  useEffect(() => {
    if (plan.updatedAt > base.updatedAt && !form.isDirty()) startFrom(plan);
  });

  const mergeWith = (standing: Plan) => {
    const theirs = valuesOf(standing);
    const { values, conflicts, taken } = mergeEdits(valuesOf(base), form.getValues(), theirs);
    setBase(standing);
    setConflict({ theirs, conflicts, taken });
    form.setValues(values);
    form.resetDirty(theirs);
  };

  const submit = form.onSubmit((values) => {
    const changed = changedFields(valuesOf(base), values);
    update.mutate(
      { ...changed, updatedAt: base.updatedAt },
      {
        onSuccess: (saved) => {
          startFrom(saved);
          toast.success('Plan updated');
        },
        onError: (error) => {
          const standing = planSchema.safeParse(error instanceof ApiError ? error.current : undefined);
          if (standing.success) return mergeWith(standing.data);
          form.setErrors(errorsOf(error));
          const { title, description } = errorNotice(error);
          toast.error(title, { description });
        },
      },
    );
  });

  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => form.isDirty()} />
      <Section
        title="Details"
        description="What the plan is called, here and in your application."
        footer={
          <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
            Save
          </Button>
        }
      >
        <Fields isDisabled={update.isPending}>
          {conflict !== null && (
            <EditConflict
              what="The plan"
              saveLabel="Save"
              taken={conflict.taken.map((field) => LABELS[field])}
              fields={conflict.conflicts.map((field) => ({
                name: LABELS[field],
                mine: shown(form.getValues()[field]),
                theirs: shown(conflict.theirs[field]),
                onTake: () => {
                  form.setFieldValue(field, conflict.theirs[field]);
                  setConflict({
                    ...conflict,
                    conflicts: conflict.conflicts.filter((name) => name !== field),
                  });
                },
              }))}
            />
          )}
          <TextInput label={LABELS.name} required {...form.getInputProps('name')} />
          <TextInput
            label={LABELS.slug}
            description="What your application calls it. Versions that are deployed keep the slug they were made with."
            required
            {...form.getInputProps('slug')}
          />
          <Textarea
            label={LABELS.description}
            autosize
            minRows={2}
            maxRows={8}
            {...form.getInputProps('description')}
          />
          <Switch
            label={LABELS.grantToAnonymousSessions}
            description="Whoever your application does not identify has this plan."
            {...form.getInputProps('grantToAnonymousSessions', { type: 'checkbox' })}
          />
          <Switch
            label={LABELS.grantToAuthenticatedUsers}
            description="Whoever your application identifies has this plan, besides those that they pay for."
            {...form.getInputProps('grantToAuthenticatedUsers', { type: 'checkbox' })}
          />
        </Fields>
      </Section>
    </form>
  );
}

function shown(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === '' ? '(empty)' : value;
}
