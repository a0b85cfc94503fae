/**
 * Folds a text for searching names: without case, diacritics, and the differences between letters, widths and apostrophes that people
 * do not type. So 'jose' finds 'José', and 'soren' and 'søren' both find 'Søren'.
 */

/** Letters that Unicode does not decompose (https://unicode.org/reports/tr15/), as they are typed without them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
};
const ASCII = /^\p{ASCII}*$/u;
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('`', "'");
  return text
    .replace(/[‘’ʼ´`]/gu, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
}
