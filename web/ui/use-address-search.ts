/**
 * The state of a search box. The search runs when typing pauses, and its text is stored in the URL, so it survives
 * sharing and navigation.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useContext, useEffect, useRef, useState } from 'react';
import {
  UNSAFE_DataRouterContext as DataRouterContext,
  useLocation,
  useNavigation,
  useSearchParams,
} from 'react-router';

/** The pause in typing, in milliseconds, after which the search runs. */
const PAUSE_MS = 250;

export interface AddressSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The text, once typing has paused. */
  readonly search: string;
}

/**
 * @param name the URL parameter. Other parameters are kept.
 * @param positionName a parameter with the position in the results, which a new search resets
 */
export function useAddressSearch(name: string, maxLength = 300, positionName = ''): AddressSearch {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get(name) ?? '';
  const [text, setText] = useState(inAddress.slice(0, maxLength));
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  /** What this hook last wrote or read. Any other value in the URL comes from a link or the back button. */
  const known = useRef(inAddress);
  // Skipped during a navigation, which this update would cancel. The router's own state is read as well, because a page
  // that is busy renders the hook's state too late.
  const isLeaving = useNavigation().state !== 'idle';
  const router = useContext(DataRouterContext)?.router;
  const { pathname } = useLocation();
  useEffect(() => {
    if (inAddress !== known.current) {
      known.current = inAddress;
      setText(inAddress.slice(0, maxLength));
    } else if (
      search === text.trim() &&
      search !== inAddress &&
      !isLeaving &&
      router?.state.navigation.state === 'idle' &&
      // The navigation has ended, and this page is still on screen until the next one is rendered.
      router.state.location.pathname === pathname
    ) {
      known.current = search;
      setParams(
        (before) => {
          const changed = new URLSearchParams(before);
          changed.delete(positionName);
          if (search === '') changed.delete(name);
          else changed.set(name, search);
          return changed;
        },
        { replace: true, preventScrollReset: true },
      );
    }
  }, [isLeaving, router, pathname, search, text, inAddress, maxLength, name, positionName, setParams]);
  return { text, setText, search };
}
