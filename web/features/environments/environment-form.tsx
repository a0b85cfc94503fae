/** Name, description and address of an environment. What somebody else saved meanwhile is shown, and nothing typed is lost. */
import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { toast } from 'sonner';
import { type Environment, environmentSchema, updateEnvironmentSchema } from '#contracts/environments';
import { ApiError } from '../../api/api-error.ts';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { changedFields, type MergedEdits, mergeEdits } from '../../api/merge-edits.ts';
import { EditConflict } from '../../ui/edit-conflict.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { EnvironmentFields, type EnvironmentValues } from './environment-fields.tsx';
import { useUpdateEnvironment } from './mutations.ts';

const FIELD_WORDS: Record<keyof EnvironmentValues, string> = {
  name: 'Name',
  description: 'Description',
  url: 'URL',
};

const entriesOf = ({ name, description, url }: Environment): EnvironmentValues => ({
  name,
  description: description ?? '',
  url: url ?? '',
});

export interface EnvironmentFormProps {
  readonly orgId: string;
  readonly environment: Environment;
  /** False once the environment is deleted: then there is nothing to lose. */
  readonly isGuarded: () => boolean;
}

export function EnvironmentForm({ orgId, environment, isGuarded }: EnvironmentFormProps) {
  const update = useUpdateEnvironment(orgId, environment.id);
  /** The state that the edit is made on. */
  const [standing, setStanding] = useState(environment);
  const [conflict, setConflict] = useState<MergedEdits<EnvironmentValues> | null>(null);
  const base = entriesOf(standing);
  const form = useForm({ initialValues: base, validate: checkForm(updateEnvironmentSchema) });

  const restartFrom = (next: Environment, values = entriesOf(next)) => {
    setStanding(next);
    form.setInitialValues(entriesOf(next));
    form.setValues(values);
    form.resetDirty(entriesOf(next));
  };
  // What was read anew meanwhile goes into a form in which nothing was entered.
  if (environment.updatedAt > standing.updatedAt && !form.isDirty() && !update.isPending) {
    restartFrom(environment);
  }

  const submit = form.onSubmit((values) =>
    update.mutate(
      { ...changedFields(base, values), updatedAt: standing.updatedAt },
      {
        onSuccess: (saved) => {
          restartFrom(saved);
          setConflict(null);
          toast.success('Environment updated');
        },
        onError: (error) => {
          const current =
            error instanceof ApiError ? environmentSchema.safeParse(error.current).data : undefined;
          if (current !== undefined) {
            const merged = mergeEdits(base, values, entriesOf(current));
            restartFrom(current, merged.values);
            setConflict(merged);
            return;
          }
          const refused = errorsOf(error);
          form.setErrors(refused);
          if (Object.keys(refused).length > 0) return;
          const { title, description } = errorNotice(error);
          toast.error(title, { description });
        },
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => isGuarded() && form.isDirty()} />
      <Section
        title="Details"
        description="How your team tells this environment from the others."
        footer={
          <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
            Save details
          </Button>
        }
      >
        <Fields isDisabled={update.isPending}>
          {conflict !== null && (
            <EditConflict
              what="The environment"
              saveLabel="Save details"
              taken={conflict.taken.map((field) => FIELD_WORDS[field])}
              fields={conflict.conflicts.map((field) => ({
                name: FIELD_WORDS[field],
                mine: form.values[field] || 'Empty',
                theirs: base[field] || 'Empty',
                onTake: () => form.setFieldValue(field, base[field]),
              }))}
            />
          )}
          <EnvironmentFields
            form={form}
            nameReason={
              environment.type === 'preview' ? 'The preview environment cannot be renamed.' : undefined
            }
          />
        </Fields>
      </Section>
    </form>
  );
}
