/** Parses numbers as people type them: the inverse of ui/format. */

const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/;
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/**
 * Null for empty text, NaN for text that is not a number. Ignores spaces, and commas between groups of three digits.
 */
export function readNumber(text: string): number | null {
  const dense = text.replace(/\s/gu, '').replace('\u2212', '-');
  if (dense === '') return null;
  const plain = GROUPED.test(dense) ? dense.replaceAll(',', '') : dense;
  return PLAIN.test(plain) ? Number(plain) : Number.NaN;
}
