/** Edits a feature's name, slug and description. A concurrent edit is shown, and no input is lost. */
import { TextInput } from '@mantine/core';
import { createFeatureSchema, type Feature, featureSchema } from '#contracts/console/features';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { EditSection } from '#web/forms/edit-section.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { SlugDialog } from '#web/forms/slug-dialog.tsx';
import { useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateFeature } from './mutations.ts';

const LABELS = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
};

const definitionOf = (feature: Feature | undefined) => ({
  name: feature?.name ?? '',
  slug: feature?.slug ?? '',
  description: feature?.description ?? '',
});

export interface FeatureFormProps {
  readonly featureId: string;
  /** Undefined while it loads. */
  readonly feature: Feature | undefined;
}

export function FeatureForm({ featureId, feature }: FeatureFormProps) {
  const orgId = useOrgId();
  const update = useUpdateFeature(orgId, featureId);
  const edit = useEditForm({
    item: feature,
    itemSchema: featureSchema,
    valuesOf: definitionOf,
    bodySchema: createFeatureSchema,
    update,
    savedTitle: 'Feature updated',
    labels: LABELS,
    mustAsk: (before, after) => before.slug !== after.slug,
  });
  const { form, question } = edit;
  return (
    <>
      <EditSection
        title="Definition"
        description="The feature’s name, and the slug your code uses."
        what="The feature"
        edit={edit}
      >
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <MonoTextInput
          label="Slug"
          description="Used in your code. A change applies where a version with it is deployed."
          required
          {...form.getInputProps('slug')}
        />
        <DescriptionInput {...form.getInputProps('description')} />
      </EditSection>
      <SlugDialog item={{ itemType: 'feature', itemId: featureId }} question={question} />
    </>
  );
}
