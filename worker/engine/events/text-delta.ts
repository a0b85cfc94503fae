/**
 * The difference of two answers' features, as text. Answers that tell of used meters differ from customer to customer in a
 * few objects only; cut where one object ends and the next begins, the rest need not be kept again.
 */
const CUT = '},"';

/** Numbers of pieces, each followed by the piece that stands in its place. */
export type TextDelta = readonly (number | string)[];

/** The pieces of a text, each but the last with the cut that ends it. */
export function cut(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let end = endOfPiece(text, start); end !== null; end = endOfPiece(text, start)) {
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}

/** Null: the two have too little in common. Walks along the text rather than cut it, since most of it is the same. */
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

export function restore(base: string, delta: TextDelta): string {
  const pieces = cut(base);
  for (let index = 0; index < delta.length; index += 2) {
    pieces[delta[index] as number] = delta[index + 1] as string;
  }
  return pieces.join('');
}

/** Null: the piece that begins there is the last. */
function endOfPiece(text: string, start: number): number | null {
  const index = text.indexOf(CUT, start);
  return index === -1 ? null : index + CUT.length;
}
