/** A feature's own name, slug and description. What somebody else saved meanwhile is shown, and nothing typed is lost. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { createFeatureSchema, type Feature } from '#contracts/features';
import { ApiError } from '../../api/api-error.ts';
import { checkForm, errorsOf } from '../../api/check-form.ts';
import { errorNotice } from '../../api/error-notice.ts';
import { changedFields, isSame, type MergedEdits, mergeEdits } from '../../api/merge-edits.ts';
import { EditConflict } from '../../ui/edit-conflict.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './features.module.css';
import { useUpdateFeature } from './mutations.ts';

interface Definition {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
}

const FIELD_WORDS: Record<keyof Definition, string> = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
};

const definitionOf = ({ name, slug, description }: Feature): Definition => ({
  name,
  slug,
  description: description ?? '',
});

export interface FeatureFormProps {
  readonly orgId: string;
  readonly feature: Feature;
  readonly onDirtyChange: (isDirty: boolean) => void;
}

export function FeatureForm({ orgId, feature, onDirtyChange }: FeatureFormProps) {
  const update = useUpdateFeature(orgId, feature.id);
  /** The state that the edit is made on. */
  const [standing, setStanding] = useState(feature);
  const [conflict, setConflict] = useState<MergedEdits<Definition> | null>(null);
  const base = definitionOf(standing);
  const form = useForm<Definition>({ initialValues: base, validate: checkForm(createFeatureSchema) });
  const isDirty = !isSame(form.values, base);
  useEffect(() => onDirtyChange(isDirty), [onDirtyChange, isDirty]);

  const restartFrom = (next: Feature, values = definitionOf(next)) => {
    setStanding(next);
    form.setValues(values);
  };
  // What was read anew meanwhile goes into a form in which nothing was entered.
  if (feature.updatedAt > standing.updatedAt && !isDirty && !update.isPending) restartFrom(feature);

  const submit = form.onSubmit((values) =>
    update.mutate(
      { ...changedFields(base, values), updatedAt: standing.updatedAt },
      {
        onSuccess: (saved) => {
          restartFrom(saved);
          setConflict(null);
          toast.success('Feature updated');
        },
        onError: (error) => {
          if (error instanceof ApiError && error.current !== undefined) {
            const current = error.current as Feature;
            const merged = mergeEdits(base, values, definitionOf(current));
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
        title="Definition"
        description="What the feature is called, here and by your application."
        footer={
          <Button type="submit" disabled={!isDirty} loading={update.isPending}>
            Save definition
          </Button>
        }
      >
        <div className={classes.definition}>
          {conflict !== null && isDirty && (
            <EditConflict
              what="The feature"
              saveLabel="Save definition"
              taken={conflict.taken.map((field) => FIELD_WORDS[field])}
              fields={conflict.conflicts
                .filter((field) => form.values[field] !== base[field])
                .map((field) => ({
                  name: FIELD_WORDS[field],
                  mine: form.values[field] || 'Empty',
                  theirs: base[field] || 'Empty',
                  onTake: () => form.setFieldValue(field, base[field]),
                }))}
            />
          )}
          <Fields isDisabled={update.isPending}>
            <TextInput label="Name" required {...form.getInputProps('name')} />
            <TextInput
              label="Slug"
              description="What your application asks for. A change takes effect where a version with it is deployed."
              required
              spellCheck={false}
              classNames={{ input: classes.monoInput ?? '' }}
              {...form.getInputProps('slug')}
            />
            <Textarea
              label="Description"
              autosize
              minRows={2}
              maxRows={8}
              {...form.getInputProps('description')}
            />
          </Fields>
        </div>
      </Section>
    </form>
  );
}
