/** An organisation's name and description. Only what was changed is sent, with the state that the edit was made on. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { type Organisation, organisationSchema, updateOrganisationSchema } from '#contracts/organisations';
import { useEditForm } from '../../forms/use-edit-form.ts';
import { EditConflict } from '../../ui/edit-conflict.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
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
  const { form, isDirty, submit, conflict } = useEditForm({
    thing: organisation,
    thingSchema: organisationSchema,
    valuesOf,
    bodySchema: updateOrganisationSchema,
    update,
    savedTitle: 'Organisation updated',
    labels: LABELS,
    isRefusalAlwaysToasted: true,
  });
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => isDirty} />
      <Section
        title="General"
        description="What your team sees in the sidebar, in invitations and in mail."
        footer={
          canEdit && (
            <Button type="submit" disabled={!isDirty} loading={update.isPending}>
              Save
            </Button>
          )
        }
      >
        {conflict && <EditConflict what="The organisation" saveLabel="Save" {...conflict} />}
        <Fields isDisabled={!canEdit || update.isPending}>
          <TextInput label="Name" autoComplete="organization" required {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            placeholder="What this organisation is for"
            autosize
            minRows={3}
            maxRows={8}
            {...form.getInputProps('description')}
          />
        </Fields>
      </Section>
    </form>
  );
}
