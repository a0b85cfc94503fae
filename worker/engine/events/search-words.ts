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
