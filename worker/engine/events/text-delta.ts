/**
 * The difference of two answers' features, as text. Answers that tell of used meters differ from customer to customer in a
 * few objects only; cut where one object ends and the next begins, the rest need not be kept again.
 */
const CUT = '},"';

/** Numbers of pieces, each followed by the piece that stands in its place. */
export type TextDelta = readonly (number | string)[];

export function cut(text: string): string[] {
  return text.split(CUT);
}

/** Null: the two have too little in common. */
export function deltaOf(base: readonly string[], text: string): TextDelta | null {
  const pieces = cut(text);
  if (pieces.length !== base.length) return null;
  const delta: (number | string)[] = [];
  for (let number = 0; number < pieces.length; number++) {
    const piece = pieces[number] as string;
    if (piece === base[number]) continue;
    delta.push(number, piece);
    if (delta.length > pieces.length) return null;
  }
  return delta;
}

export function restore(base: string, delta: TextDelta): string {
  const pieces = cut(base);
  for (let index = 0; index < delta.length; index += 2) {
    pieces[delta[index] as number] = delta[index + 1] as string;
  }
  return pieces.join(CUT);
}
