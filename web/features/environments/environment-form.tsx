/** Name, description and address of an environment. What somebody else saved meanwhile is shown, and nothing typed is lost. */
import { type Environment, environmentSchema, updateEnvironmentSchema } from '#contracts/environments';
import { EditSection } from '../../forms/edit-section.tsx';
import { useEditForm } from '../../forms/use-edit-form.ts';
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
  const edit = useEditForm({
    thing: environment,
    thingSchema: environmentSchema,
    valuesOf: entriesOf,
    bodySchema: updateEnvironmentSchema,
    update,
    savedTitle: 'Environment updated',
    labels: LABELS,
  });
  const isPreview = environment.type === 'preview';
  return (
    <>
      <UnsavedChanges isDirty={() => isGuarded() && edit.isDirty} />
      <EditSection
        title="Details"
        description="How your team tells this environment from the others."
        what="The environment"
        saveLabel="Save details"
        edit={edit}
      >
        <EnvironmentFields
          form={edit.form}
          nameReason={isPreview ? 'The preview environment cannot be renamed.' : undefined}
        />
      </EditSection>
    </>
  );
}
