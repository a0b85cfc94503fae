/** The field that searches a list: the list follows while the reader types. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';
import { formatNumber } from '../format.ts';

export interface SearchFieldProps
  extends Omit<TextInputProps, 'label' | 'value' | 'defaultValue' | 'onChange' | 'leftSection'> {
  /** What is searched, for screen readers: 'features'. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
  /** How many characters are searched. A longer text can be pasted, and the field says so. */
  readonly maxLength?: number;
}

/** Further props are the input's: width, a placeholder that says what is searched. */
export function SearchField({ label, text, onText, maxLength, ...input }: SearchFieldProps) {
  return (
    <TextInput
      aria-label={`Search ${label}`}
      placeholder="Search"
      autoComplete="off"
      spellCheck={false}
      error={maxLength !== undefined && cutNote(text, maxLength)}
      {...input}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

/** Undefined if the whole text is searched. */
export function cutNote(text: string, maxLength: number): string | undefined {
  if (text.trim().length <= maxLength) return undefined;
  return `Only the first ${formatNumber(maxLength)} characters are searched.`;
}
