/** Name, description and address of an environment. What somebody else saved meanwhile is shown, and nothing typed is lost. */
import { Button } from '@mantine/core';
import { type Environment, environmentSchema, updateEnvironmentSchema } from '#contracts/environments';
import { useEditForm } from '../../forms/use-edit-form.ts';
import { EditConflict } from '../../ui/edit-conflict.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { EnvironmentFields, type EnvironmentValues } from './environment-fields.tsx';
import { useUpdateEnvironment } from './mutations.ts';

const LABELS: Record<keyof EnvironmentValues, string> = {
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
  const { form, isDirty, submit, conflict } = useEditForm({
    thing: environment,
    thingSchema: environmentSchema,
    valuesOf: entriesOf,
    bodySchema: updateEnvironmentSchema,
    update,
    savedTitle: 'Environment updated',
    labels: LABELS,
  });
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => isGuarded() && isDirty} />
      <Section
        title="Details"
        description="How your team tells this environment from the others."
        footer={
          <Button type="submit" disabled={!isDirty} loading={update.isPending}>
            Save details
          </Button>
        }
      >
        <Fields isDisabled={update.isPending}>
          {conflict && <EditConflict what="The environment" saveLabel="Save details" {...conflict} />}
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
