/** Edits an organisation's name, description and time zone. Sends changed fields and the state that the edit is based on. */
import { Select, TextInput } from '@mantine/core';
import {
  type Organisation,
  organisationSchema,
  updateOrganisationSchema,
} from '#contracts/console/organisations';
import { compareText } from '#engine/text/compare-text';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { EditSection } from '#web/forms/edit-section.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateOrganisation } from './mutations.ts';

const LABELS = { name: 'Name', description: 'Description', zone: 'Time zone' };
const valuesOf = (organisation: Organisation | undefined) => ({
  name: organisation?.name ?? '',
  description: organisation?.description ?? '',
  zone: organisation?.zone ?? 'UTC',
});

export interface SettingsFormProps {
  /** Undefined while it loads. */
  readonly organisation: Organisation | undefined;
  readonly canEdit: boolean;
}

export function SettingsForm({ organisation, canEdit }: SettingsFormProps) {
  const update = useUpdateOrganisation(useOrgId());
  const edit = useEditForm({
    item: organisation,
    itemSchema: organisationSchema,
    valuesOf,
    bodySchema: updateOrganisationSchema,
    update,
    savedTitle: 'Organisation updated',
    labels: LABELS,
  });
  const { form } = edit;
  return (
    <EditSection
      title="General"
      description="Shown in the sidebar, in invitations and in emails."
      what="The organisation"
      edit={edit}
      isReadOnly={!canEdit && organisation !== undefined}
    >
      <TextInput label="Name" autoComplete="organization" required {...form.getInputProps('name')} />
      <DescriptionInput
        placeholder="What this organisation is for"
        minRows={3}
        {...form.getInputProps('description')}
      />
      <Select
        label={LABELS.zone}
        description="When calendar periods of limits begin: hours, days and months. Applies with the next version that you deploy."
        data={zonesWith(form.values.zone)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such time zone"
        {...form.getInputProps('zone')}
      />
    </EditSection>
  );
}

/** Browsers do not list UTC, nor names that were replaced. */
function zonesWith(current: string): string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].sort(compareText);
}
