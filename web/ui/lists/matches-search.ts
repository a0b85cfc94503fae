/** Whether a list's search finds a text: case, accents and the form of letters do not matter. */
import { foldText } from '#engine/text/fold-text';

/** @param text names and slugs, separated by line breaks. @param search as typed */
export function matchesSearch(text: string, search: string): boolean {
  return foldText(text).includes(foldText(search.trim()));
}
