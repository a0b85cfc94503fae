/**
 * The words by which a customer is found: its identifier, email and name, from every beginning of a word to the end of the text.
 * So a search is a prefix of a word, which an index answers: 'love' and 'lovelace@ex' both find 'ada.lovelace@example.com'.
 */
import { foldText } from '../text/fold-text.ts';

const SEPARATOR = String.raw`[\s\p{P}\p{Sm}\p{Sc}\p{Sk}]`;
/** Scripts that put no space between words, and symbols: every character may begin one. Hangul is folded to its parts. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u1100-\u115F\p{So}]`;
const BEGINNING = new RegExp(`(?<=${SEPARATOR})(?!${SEPARATOR}).|${UNSPACED}`, 'gsu');
/** Random: nobody remembers what it has in the middle. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const LEADING = new RegExp(`^${SEPARATOR}+`, 'u');

/** Words of one customer, and UTF-16 units of one word. */
const MAX_WORDS = 32;
const MAX_WORD_LENGTH = 200;
/** Shorter endings of an email, such as 'com', would match almost everybody. */
const MIN_EMAIL_ENDING = 4;

/** Sorted. Of the endings, none is the beginning of another word. @param texts identifier, email and name, as far as known. If there are too many words, the last text's come first */
export function searchWords(texts: readonly (string | null)[]): string[] {
  const folded = texts.flatMap((text) => (text === null ? [] : [fold(text)])).filter((text) => text !== '');
  const words = new Set(folded);
  for (const text of folded.toReversed()) {
    const random = [...text.matchAll(UUID)].map(
      ({ index, 0: found }) => [index, index + found.length] as const,
    );
    for (const { index } of text.matchAll(BEGINNING)) {
      if (random.some(([from, to]) => index > from && index < to)) continue;
      const ending = text.slice(index);
      if (ending.length >= MIN_EMAIL_ENDING || !text.includes('@')) words.add(ending);
    }
  }
  const sorted = [...words].slice(0, MAX_WORDS).sort();
  // A whole text stays: a search for it lists its customer first.
  return sorted.filter((word, index) => folded.includes(word) || !sorted[index + 1]?.startsWith(word));
}

/** What a word begins with that the search finds: '(acme' finds 'Globex (Acme)'. Empty: the search is blank. */
export function searchPrefix(search: string): string {
  const folded = fold(search);
  return folded.replace(LEADING, '') || folded;
}

function fold(text: string): string {
  return foldText(text).replace(/\s+/gu, ' ').trim().slice(0, MAX_WORD_LENGTH);
}
