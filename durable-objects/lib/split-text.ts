/** UTF-16 units per piece: at most 1.5 MB in UTF-8, below the 2 MB limit of a SQLite row. */
const PIECE_LENGTH = 500_000;

/**
 * Splits a text into pieces that each fit one row. Never splits a surrogate pair: SQLite cannot store half of one.
 * The empty text is one empty piece.
 */
export function splitText(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  do {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
}
