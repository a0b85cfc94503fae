/**
 * The words by which a customer is found: every part of its identifier, email and name that begins after a separator, to the
 * end of the text. So a search is a prefix of a word, which an index answers: 'love' and 'lovelace@ex' both find
 * 'ada.lovelace@example.com'.
 */

const SEPARATORS = /[\s@._\-+:/]+/gu;
/** Words of one customer, and UTF-16 units of one word. */
const MAX_WORDS = 24;
export const MAX_WORD_LENGTH = 200;
/** Shorter endings of a text, such as 'com', would match almost everybody. The whole text counts at any length. */
const MIN_ENDING = 4;

/** Ignores case and diacritics, so that 'jose' finds 'José'. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, MAX_WORD_LENGTH);
}

/** Sorted and without repetition. @param texts identifier, email and name, as far as known */
export function searchWords(texts: readonly (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    const folded = foldText(text);
    if (folded !== '') words.add(folded);
    for (const { index, 0: separator } of folded.matchAll(SEPARATORS)) {
      const ending = folded.slice(index + separator.length);
      if (ending.length >= MIN_ENDING) words.add(ending);
    }
  }
  return [...words].slice(0, MAX_WORDS).sort();
}
