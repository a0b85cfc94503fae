/** Name and slug fields of a new item. The slug follows the name until the user edits the slug. */
import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { SlugField } from '#web/ui/use-slug-field.ts';
import { MonoTextInput } from './mono-text-input.tsx';

export interface NewDefinition {
  name: string;
  slug: string;
  description: string;
}

export interface NameAndSlugInputsProps {
  readonly form: UseFormReturnType<NewDefinition>;
  readonly slug: SlugField;
  readonly namePlaceholder: string;
  readonly slugPlaceholder: string;
  readonly slugDescription: string;
}

export function NameAndSlugInputs(props: NameAndSlugInputsProps) {
  const { form, slug, namePlaceholder, slugPlaceholder, slugDescription } = props;
  return (
    <>
      <TextInput
        label="Name"
        placeholder={namePlaceholder}
        required
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => {
          const name = event.currentTarget.value;
          form.setFieldValue('name', name);
          const next = slug.follow(name);
          if (next !== null) form.setFieldValue('slug', next);
        }}
      />
      <MonoTextInput
        label="Slug"
        description={slugDescription}
        placeholder={slugPlaceholder}
        required
        {...form.getInputProps('slug')}
        onChange={(event) => {
          slug.markEdited();
          form.setFieldValue('slug', event.currentTarget.value);
        }}
      />
    </>
  );
}
