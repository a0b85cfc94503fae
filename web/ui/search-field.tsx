/** The field that searches a list: the list follows while the reader types. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';

export interface SearchFieldProps
  extends Omit<TextInputProps, 'label' | 'value' | 'defaultValue' | 'onChange' | 'leftSection'> {
  /** What is searched, for screen readers: 'features'. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Further props are the input's: width, a placeholder that says what is searched. */
export function SearchField({ label, text, onText, ...input }: SearchFieldProps) {
  return (
    <TextInput
      aria-label={`Search ${label}`}
      placeholder="Search"
      autoComplete="off"
      spellCheck={false}
      {...input}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}
