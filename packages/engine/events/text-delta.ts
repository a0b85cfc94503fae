/**
 * Delta encoding for the `features` text of responses. Responses that report meter usage differ from customer to customer
 * in a few objects. A text is cut at object boundaries, and only the pieces that differ from a base text are stored.
 */
const BOUNDARY = '},"';

/** Pairs: the index of a piece in the base text, then the text that replaces it. */
export type TextDelta = readonly (number | string)[];

/** Cuts a text after every boundary. */
export function cutPieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let end = endOfPiece(text, start); end !== null; end = endOfPiece(text, start)) {
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}

/**
 * Compares in place instead of cutting `text`, because most of it usually equals the base.
 * @returns null if the texts have too little in common; empty if they are equal
 */
export function deltaOf(base: readonly string[], text: string): TextDelta | null {
  const delta: (number | string)[] = [];
  const last = base.length - 1;
  let start = 0;
  for (let number = 0; number < last; number++) {
    const piece = base[number] as string;
    if (text.startsWith(piece, start)) {
      start += piece.length;
      continue;
    }
    const end = endOfPiece(text, start);
    if (end === null) return null;
    delta.push(number, text.slice(start, end));
    if (delta.length > base.length) return null;
    start = end;
  }
  if (endOfPiece(text, start) !== null) return null;
  const rest = text.slice(start);
  if (rest !== base[last]) delta.push(last, rest);
  return delta.length > base.length ? null : delta;
}

export function applyDelta(base: string, delta: TextDelta): string {
  const pieces = cutPieces(base);
  for (let index = 0; index < delta.length; index += 2) {
    pieces[delta[index] as number] = delta[index + 1] as string;
  }
  return pieces.join('');
}

/** Null if the piece that begins at `start` is the last. */
function endOfPiece(text: string, start: number): number | null {
  const index = text.indexOf(BOUNDARY, start);
  return index === -1 ? null : index + BOUNDARY.length;
}
