/** An organisation's name and description. Only what was changed is sent, with the state that the edit was made on. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { type Organisation, organisationSchema, updateOrganisationSchema } from '#contracts/organisations';
import { ApiError } from '../../api/api-error.ts';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { changedFields, type MergedEdits, mergeEdits } from '../../api/merge-edits.ts';
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
  /** What the edit is made on. */
  const [base, setBase] = useState(organisation);
  const [merged, setMerged] = useState<(MergedEdits<Values> & { theirs: Values }) | null>(null);
  const form = useForm<Values>({
    initialValues: valuesOf(organisation),
    validate: checkForm(updateOrganisationSchema),
  });

  const rebase = (next: Organisation, values: Values) => {
    setBase(next);
    form.setValues(values);
    form.resetDirty(valuesOf(next));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked only when another state was read.
  useEffect(() => {
    if (organisation.updatedAt !== base.updatedAt && !form.isDirty())
      rebase(organisation, valuesOf(organisation));
  }, [organisation]);

  const send = (values: Values, on: Organisation) =>
    update.mutate(
      { ...changedFields(valuesOf(on), values), updatedAt: on.updatedAt },
      {
        onSuccess: (saved) => {
          rebase(saved, valuesOf(saved));
          setMerged(null);
          toast.success('Organisation updated');
        },
        onError: (error) => fail(error, values, on),
      },
    );

  const fail = (error: unknown, values: Values, on: Organisation) => {
    const theirs = organisationSchema.safeParse(error instanceof ApiError ? error.current : null).data;
    if (theirs === undefined) {
      const { title, description } = errorNotice(error);
      toast.error(title, { description });
      form.setErrors(errorsOf(error));
      return;
    }
    const result = mergeEdits(valuesOf(on), values, valuesOf(theirs));
    // Something else of the organisation changed, such as its regions: the edit stands as it is.
    if (result.conflicts.length === 0 && result.taken.length === 0) return send(values, theirs);
    rebase(theirs, result.values);
    setMerged({ ...result, theirs: valuesOf(theirs) });
  };

  return (
    <form onSubmit={form.onSubmit((values) => send(values, base))} noValidate>
      <UnsavedChanges isDirty={() => form.isDirty()} />
      <Section
        title="General"
        description="What your team sees in the sidebar, in invitations and in mail."
        footer={
          canEdit && (
            <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
              Save
            </Button>
          )
        }
      >
        {merged && form.isDirty() && (
          <EditConflict
            what="The organisation"
            saveLabel="Save"
            taken={merged.taken.map((field) => LABELS[field])}
            fields={merged.conflicts.map((field) => ({
              name: LABELS[field],
              mine: form.values[field],
              theirs: merged.theirs[field],
              onTake: () => {
                form.setFieldValue(field, merged.theirs[field]);
                setMerged({ ...merged, conflicts: merged.conflicts.filter((other) => other !== field) });
              },
            }))}
          />
        )}
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
