/**
 * What is typed into a search box: asked for when typing pauses, and kept in the address, so that it can be shared and
 * comes back with the page.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useNavigation, useSearchParams } from 'react-router';

/** Spec, domain screens, section 9. */
const PAUSE_MS = 250;

export interface AddressSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The text, a moment later. */
  readonly search: string;
}

/** @param name of the parameter in the address */
export function useAddressSearch(name: string, maxLength = 300): AddressSearch {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get(name) ?? '';
  const [text, setText] = useState(inAddress.slice(0, maxLength));
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  // Whoever is on the way to another page is not to be called back.
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (isLeaving || search === inAddress) return;
    setParams(search === '' ? {} : { [name]: search }, { replace: true });
  }, [isLeaving, search, inAddress, name, setParams]);
  return { text, setText, search };
}
