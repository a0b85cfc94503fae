/** A description grows with its text. */
import { Textarea, type TextareaProps } from '@mantine/core';

export function DescriptionInput(props: TextareaProps) {
  return <Textarea label="Description" autosize minRows={2} maxRows={8} {...props} />;
}
