/** Form fields shared by creating and editing an environment. */
import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export interface EnvironmentValues {
  name: string;
  description: string;
  url: string;
}

export interface EnvironmentFieldsProps<Values extends EnvironmentValues> {
  readonly form: UseFormReturnType<Values>;
  /** The reason why the name cannot be changed. */
  readonly nameReason?: string | undefined;
}

export function EnvironmentFields<Values extends EnvironmentValues>({
  form,
  nameReason,
}: EnvironmentFieldsProps<Values>) {
  return (
    <>
      <TextInput
        label="Name"
        placeholder="Production"
        required
        data-autofocus
        disabled={nameReason !== undefined}
        description={nameReason}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        placeholder="What this environment is for"
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="URL"
        type="url"
        placeholder="https://app.example.com"
        description="Your product’s address in this environment. For your team only."
        {...form.getInputProps('url')}
      />
    </>
  );
}
