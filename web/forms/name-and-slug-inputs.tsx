/** Name and slug fields of a new item. The slug follows the name until the user edits the slug. */
import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { slugFrom } from '#engine/slugs/slug';
import { followName } from '#web/ui/inputs/follow-name.ts';
import { MonoTextInput } from './mono-text-input.tsx';

export interface NameAndSlugInputsProps {
  readonly form: UseFormReturnType<{ name: string; slug: string; description: string }>;
  readonly namePlaceholder: string;
  readonly slugPlaceholder: string;
  readonly slugDescription: string;
}

export function NameAndSlugInputs(props: NameAndSlugInputsProps) {
  const { form, namePlaceholder, slugPlaceholder, slugDescription } = props;
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
          const slug = followName(form.values, name, slugFrom);
          if (slug !== form.values.slug) form.setFieldValue('slug', slug);
        }}
      />
      <MonoTextInput
        label="Slug"
        description={slugDescription}
        placeholder={slugPlaceholder}
        required
        {...form.getInputProps('slug')}
      />
    </>
  );
}
