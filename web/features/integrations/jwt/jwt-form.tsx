/**
 * What a JWT integration is called, which claim it reads, and which tokens it takes. What somebody else saved meanwhile is
 * shown, and nothing typed is lost.
 */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import {
  type ClaimIndex,
  type JwtIntegration,
  jwtIntegrationSchema,
  updateJwtIntegrationSchema,
} from '#contracts/integrations';
import { ApiError } from '../../../api/api-error.ts';
import { checkForm, errorsOf } from '../../../api/check-form.ts';
import { errorNotice } from '../../../api/error-notice.ts';
import { changedFields, isSame, type MergedEdits, mergeEdits } from '../../../api/merge-edits.ts';
import { EditConflict } from '../../../ui/edit-conflict.tsx';
import { Fields } from '../../../ui/fields.tsx';
import { Section } from '../../../ui/section.tsx';
import { ClaimFields } from './claim-fields.tsx';
import { claimIndexLabel } from './claim-words.ts';
import classes from './jwt.module.css';
import { useUpdateJwtIntegration } from './mutations.ts';

interface Entries {
  readonly name: string;
  readonly description: string;
  readonly claimKey: string;
  readonly claimIndex: ClaimIndex;
  readonly iss: string;
  readonly aud: string;
}

const FIELD_WORDS: Record<keyof Entries, string> = {
  name: 'Name',
  description: 'Description',
  claimKey: 'Claim key',
  claimIndex: 'Looked up as',
  iss: 'Issuer',
  aud: 'Audience',
};

const entriesOf = (integration: JwtIntegration): Entries => ({
  name: integration.name,
  description: integration.description ?? '',
  claimKey: integration.claimKey,
  claimIndex: integration.claimIndex,
  iss: integration.iss ?? '',
  aud: integration.aud ?? '',
});

const shown = (field: keyof Entries, entries: Entries) =>
  (field === 'claimIndex' ? claimIndexLabel(entries.claimIndex) : entries[field]) || 'Empty';

export interface JwtFormProps {
  readonly orgId: string;
  readonly integration: JwtIntegration;
  readonly onDirtyChange: (isDirty: boolean) => void;
}

export function JwtForm({ orgId, integration, onDirtyChange }: JwtFormProps) {
  const update = useUpdateJwtIntegration(orgId, integration.id);
  /** The state that the edit is made on. */
  const [standing, setStanding] = useState(integration);
  const [conflict, setConflict] = useState<MergedEdits<Entries> | null>(null);
  const base = entriesOf(standing);
  const form = useForm<Entries>({ initialValues: base, validate: checkForm(updateJwtIntegrationSchema) });
  const isDirty = !isSame(form.values, base);
  useEffect(() => onDirtyChange(isDirty), [onDirtyChange, isDirty]);

  const restartFrom = (next: JwtIntegration, values = entriesOf(next)) => {
    setStanding(next);
    form.setValues(values);
  };
  if (integration.updatedAt > standing.updatedAt && !update.isPending) {
    // What was read anew meanwhile goes into a form in which nothing was entered; a new key concerns none of the fields.
    if (!isDirty) restartFrom(integration);
    else if (isSame(entriesOf(integration), base)) setStanding(integration);
  }

  const submit = form.onSubmit((values) =>
    update.mutate(
      { ...changedFields(base, values), updatedAt: standing.updatedAt },
      {
        onSuccess: (saved) => {
          restartFrom(saved);
          setConflict(null);
          toast.success('JWT integration updated');
        },
        onError: (error) => {
          const current =
            error instanceof ApiError ? jwtIntegrationSchema.safeParse(error.current).data : undefined;
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
      <Section
        title="Manage"
        description="Whose tokens these are, and how their bearer is found."
        footer={
          <Button type="submit" disabled={!isDirty} loading={update.isPending}>
            Save integration
          </Button>
        }
      >
        <div className={classes.form}>
          {conflict !== null && isDirty && (
            <EditConflict
              what="The integration"
              saveLabel="Save integration"
              taken={conflict.taken.map((field) => FIELD_WORDS[field])}
              fields={conflict.conflicts
                .filter((field) => form.values[field] !== base[field])
                .map((field) => ({
                  name: FIELD_WORDS[field],
                  mine: shown(field, form.values),
                  theirs: shown(field, base),
                  onTake: () => form.setFieldValue(field, base[field]),
                }))}
            />
          )}
          <Fields isDisabled={update.isPending}>
            <TextInput label="Name" required {...form.getInputProps('name')} />
            <Textarea
              label="Description"
              autosize
              minRows={2}
              maxRows={8}
              {...form.getInputProps('description')}
            />
            <ClaimFields form={form} />
            <TextInput
              label="Issuer"
              description="Optional. Only tokens whose iss says exactly this are believed."
              placeholder="https://id.example.com"
              spellCheck={false}
              autoCapitalize="off"
              classNames={{ input: classes.mono ?? '' }}
              {...form.getInputProps('iss')}
            />
            <TextInput
              label="Audience"
              description="Optional. Only tokens whose aud contains this are believed: set it where the same keys sign tokens for other products too."
              spellCheck={false}
              autoCapitalize="off"
              classNames={{ input: classes.mono ?? '' }}
              {...form.getInputProps('aud')}
            />
          </Fields>
        </div>
      </Section>
    </form>
  );
}
