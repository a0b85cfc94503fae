/** Compares strings by Unicode code point. JavaScript's `<` compares UTF-16 units, in which 😀 is below ﬁ. */

/** Negative if `one` is before `other`, zero if equal, positive if after. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    const left = one.charCodeAt(at);
    const right = other.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return one.length - other.length;
}

/** Moves the surrogates, which encode the code points from U+10000, behind U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
