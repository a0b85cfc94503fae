/** Edits an environment's name, description and URL. A concurrent edit is merged, and unsaved input is kept. */

import {
  type Environment,
  environmentEndpoints,
  environmentSchema,
  updateEnvironmentSchema,
} from '#contracts/console/environments';
import { useFormChange } from '#web/api/use-change.ts';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { EnvironmentFields, type EnvironmentValues } from './environment-fields.tsx';

const LABELS: Record<keyof EnvironmentValues, string> = {
  name: 'Name',
  description: 'Description',
  url: 'URL',
};

const entriesOf = (environment: Environment | undefined): EnvironmentValues => ({
  name: environment?.name ?? '',
  description: environment?.description ?? '',
  url: environment?.url ?? '',
});

export interface EnvironmentFormProps {
  readonly environmentId: string;
  /** Undefined while it loads. */
  readonly environment: Environment | undefined;
  /** False once the environment is deleted, so that leaving the page needs no confirmation. */
  readonly isGuarded: () => boolean;
}

export function EnvironmentForm({ environmentId, environment, isGuarded }: EnvironmentFormProps) {
  const orgId = useOrgId();
  const update = useFormChange(environmentEndpoints.update, { orgId, environmentId });
  const edit = useEditForm({
    item: environment,
    itemSchema: environmentSchema,
    valuesOf: entriesOf,
    bodySchema: updateEnvironmentSchema,
    update,
    savedTitle: 'Environment updated',
    labels: LABELS,
  });
  const isPreview = environment?.type === 'preview';
  return (
    <EditSection
      title="Details"
      description="Name and description for your team."
      what="The environment"
      edit={edit}
      isGuarded={isGuarded}
    >
      <EnvironmentFields
        form={edit.form}
        nameReason={isPreview ? 'The preview environment cannot be renamed.' : undefined}
      />
    </EditSection>
  );
}
