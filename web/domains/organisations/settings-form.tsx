/** Edits an organisation's name and description. Sends changed fields and the state that the edit is based on. */
import { Textarea, TextInput } from '@mantine/core';
import {
  type Organisation,
  organisationSchema,
  updateOrganisationSchema,
} from '#contracts/console/organisations';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { useUpdateOrganisation } from './mutations.ts';

interface Values {
  readonly name: string;
  readonly description: string;
}

const LABELS: Record<keyof Values, string> = { name: 'Name', description: 'Description' };
const valuesOf = ({ name, description }: Organisation): Values => ({ name, description: description ?? '' });

export interface SettingsFormProps {
  readonly organisation: Organisation;
  readonly canEdit: boolean;
}

export function SettingsForm({ organisation, canEdit }: SettingsFormProps) {
  const update = useUpdateOrganisation(organisation.id);
  const edit = useEditForm({
    item: organisation,
    itemSchema: organisationSchema,
    valuesOf,
    bodySchema: updateOrganisationSchema,
    update,
    savedTitle: 'Organisation updated',
    labels: LABELS,
  });
  const { form, isDirty } = edit;
  return (
    <>
      <UnsavedChanges isDirty={() => isDirty} />
      <EditSection
        title="General"
        description="Shown in the sidebar, in invitations and in emails."
        what="The organisation"
        edit={edit}
        isReadOnly={!canEdit}
      >
        <TextInput label="Name" autoComplete="organization" required {...form.getInputProps('name')} />
        <Textarea
          label="Description"
          placeholder="What this organisation is for"
          autosize
          minRows={3}
          maxRows={8}
          {...form.getInputProps('description')}
        />
      </EditSection>
    </>
  );
}
