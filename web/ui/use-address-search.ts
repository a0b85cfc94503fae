/**
 * The state of a search box. The search runs when typing pauses, and its text is stored in the URL, so it survives
 * sharing and navigation.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useContext, useEffect, useState } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useNavigation, useSearchParams } from 'react-router';

/** The pause in typing, in milliseconds, after which the search runs. */
const PAUSE_MS = 250;

export interface AddressSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The text, once typing has paused. */
  readonly search: string;
}

/** @param name the URL parameter */
export function useAddressSearch(name: string, maxLength = 300): AddressSearch {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get(name) ?? '';
  const [text, setText] = useState(inAddress.slice(0, maxLength));
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  // Skipped during a navigation, which this update would cancel. The router's own state is read as well, because a page
  // that is busy renders the hook's state too late.
  const isLeaving = useNavigation().state !== 'idle';
  const router = useContext(DataRouterContext)?.router;
  useEffect(() => {
    if (isLeaving || router?.state.navigation.state !== 'idle' || search === inAddress) return;
    setParams(search === '' ? {} : { [name]: search }, { replace: true });
  }, [isLeaving, router, search, inAddress, name, setParams]);
  return { text, setText, search };
}
