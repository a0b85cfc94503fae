/** The search box above a sudo list. What is typed stands in the address, and is asked for when typing pauses. */
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { MAX_SUDO_SEARCH } from '#contracts/sudo';

/** Spec, domain screens, section 9. */
const PAUSE_MS = 250;

export interface SudoSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The text, a moment later. */
  readonly search: string;
}

export function useSudoSearch(): SudoSearch {
  const [params, setParams] = useSearchParams();
  const [text, setText] = useState((params.get('search') ?? '').slice(0, MAX_SUDO_SEARCH));
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  useEffect(() => {
    setParams(search === '' ? {} : { search }, { replace: true });
  }, [search, setParams]);
  return { text, setText, search };
}

export function SearchField({ label, text, setText }: { label: string } & Omit<SudoSearch, 'search'>) {
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      size="md"
      maxLength={MAX_SUDO_SEARCH}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
    />
  );
}
