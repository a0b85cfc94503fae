/**
 * The words that events are found by. Text is reduced in one way only, when it is indexed, when it is searched for and
 * when a found event is looked at once more: without case and accents, and with a single space for whatever is neither
 * letter, digit nor symbol. So a search text cannot say anything to a query language.
 */

/** `Zürich-2 (Nord)` → `zurich 2 nord`. Empty where nothing can be searched for. */
export function searchWords(text: string): string {
  if (isAscii(text)) {
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  }
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?:[\p{P}\p{Z}\p{C}]|[^a-z0-9\u0080-\u{10ffff}])+/gu, ' ')
    .trim();
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}

export interface SearchQuery {
  /** Every one of them begins a word of an event that matches. */
  readonly words: readonly string[];
  /** Words that the text joined without a space, such as `api-calls`, follow each other in one field as well. */
  readonly phrases: readonly string[];
}

/** Null: the text is blank, everything matches. Without words: nothing matches, there was nothing to search for. */
export function searchQuery(text: string): SearchQuery | null {
  if (text.trim() === '') return null;
  const phrases = text
    .split(/\s+/)
    .map(searchWords)
    .filter((phrase) => phrase !== '');
  return { phrases, words: [...new Set(phrases.flatMap((phrase) => phrase.split(' ')))] };
}

/** @param fields the event's searchable fields, each reduced by searchWords */
export function matchesFields(query: SearchQuery, fields: readonly string[]): boolean {
  if (query.phrases.length === 0) return false;
  return query.phrases.every((phrase) =>
    fields.some((field) => field.startsWith(phrase) || field.includes(` ${phrase}`)),
  );
}
