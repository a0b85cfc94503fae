/** The search box above a sudo list. */
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { MAX_SUDO_SEARCH } from '#contracts/console/sudo';
import { cutNote } from '#web/ui/lists/search-field.tsx';
import { type AddressSearch, useAddressSearch } from '#web/ui/page/use-address-search.ts';

/** The query parameter `search`. */
export function useSudoSearch(): AddressSearch {
  return useAddressSearch('search', MAX_SUDO_SEARCH);
}

export function SearchField({ label, text, setText }: { label: string } & Omit<AddressSearch, 'search'>) {
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      size="md"
      error={cutNote(text, MAX_SUDO_SEARCH)}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
    />
  );
}
