/** The search field of a long list: the list follows while the reader types. */
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

export interface SearchFieldProps {
  /** What is searched, for screen readers: 'features'. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function SearchField({ label, text, onText }: SearchFieldProps) {
  return (
    <TextInput
      aria-label={`Search ${label}`}
      placeholder="Search"
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
