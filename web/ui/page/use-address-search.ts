/**
 * The state of a search box. The search runs when typing pauses, and its text is stored in the URL, so it survives
 * sharing and navigation.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import { useAddressParams } from './use-address-params.ts';

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
 * @param maxLength how many characters of the text are searched; a function, where that depends on the text
 * @param positionName a parameter with the position in the results, which a new search resets
 */
export function useAddressSearch(
  name: string,
  maxLength: number | ((text: string) => number) = 300,
  positionName = '',
): AddressSearch {
  const [params, changeParams, readNow] = useAddressParams();
  const inAddress = params.get(name) ?? '';
  const [text, setText] = useState(inAddress);
  const searched = searchedText(text, typeof maxLength === 'number' ? maxLength : maxLength(text));
  const [search] = useDebouncedValue(searched, PAUSE_MS);
  /** What this hook last wrote or read. Any other value in the URL comes from a link or the back button, and replaces what was typed. */
  const known = useRef(inAddress);
  // Runs again after a navigation, which drops changes that are made meanwhile.
  const isLeaving = useNavigation().state !== 'idle';
  // biome-ignore lint/correctness/useExhaustiveDependencies: `inAddress` says that the URL has changed.
  useEffect(() => {
    // Not the rendered one: on a busy page it lags behind what this hook wrote, and is no link's.
    const current = readNow();
    if (current === undefined) return;
    const currentText = current.get(name) ?? '';
    if (currentText !== known.current) {
      known.current = currentText;
      setText(currentText);
    } else if (search === searched && search !== currentText && !isLeaving) {
      const changes = { [name]: search, ...(positionName !== '' && { [positionName]: null }) };
      if (changeParams(changes, { replace: true })) known.current = search;
    }
  }, [isLeaving, search, searched, inAddress, name, positionName, changeParams, readNow]);
  return { text, setText, search };
}

/** The part of a text that is searched. */
export function searchedText(text: string, maxLength: number): string {
  // Not half of a character that takes two.
  return text
    .trim()
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
}
