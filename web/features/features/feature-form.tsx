/** A feature's own name, slug and description. What somebody else saved meanwhile is shown, and nothing typed is lost. */
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { createFeatureSchema, type Feature, featureSchema } from '#contracts/features';
import { useEditForm } from '../../forms/use-edit-form.ts';
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

const LABELS: Record<keyof Definition, string> = {
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
  const { form, isDirty, submit, conflict } = useEditForm({
    thing: feature,
    thingSchema: featureSchema,
    valuesOf: definitionOf,
    bodySchema: createFeatureSchema,
    update,
    savedTitle: 'Feature updated',
    labels: LABELS,
  });
  useEffect(() => onDirtyChange(isDirty), [onDirtyChange, isDirty]);
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
        <Stack gap={16}>
          {conflict && <EditConflict what="The feature" saveLabel="Save definition" {...conflict} />}
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
        </Stack>
      </Section>
    </form>
  );
}
