/**
 * What keeps a regular expression out of workflows. Its text becomes part of a dynamic worker's main module too, so the function
 * refers to nothing outside itself and to no native that is guarded.
 */

/**
 * A linear engine executes neither lookaround nor backreferences, and repetitions are expanded when an expression is compiled:
 * `((a{99}){99}){99}` is a million characters.
 * @param source of the expression, without slashes and flags
 * @returns null if workflows may use it
 */
export function patternProblem(source: string): string | null {
  /** Characters after expansion. */
  const MAX_EXPANDED = 20_000;
  /** The sizes of the groups around the current position. */
  const outer: number[] = [];
  let depth = 0;
  let size = 0;
  let last = 0;
  let index = 0;
  const isDigit = (at: number) => source[at] !== undefined && source[at] >= '0' && source[at] <= '9';
  /** Reads `{2}`, `{2,}` or `{2,5}`. @returns how often at most, or 1 if the brace begins no repetition */
  const readCount = (): number => {
    let at = index + 1;
    let count = 0;
    let bound = 0;
    for (; isDigit(at); at++) bound = bound * 10 + +(source[at] as string);
    count = bound;
    if (source[at] === ',') {
      bound = 0;
      for (at += 1; isDigit(at); at++) bound = bound * 10 + +(source[at] as string);
      if (bound > count) count = bound;
    }
    if (source[at] !== '}' || at === index + 1) return 1;
    index = at;
    return count > 0 ? count : 1;
  };
  for (; index < source.length; index++) {
    const char = source[index];
    const next = source[index + 1];
    if (char === '\\') {
      const isReference = next === 'k' ? source[index + 2] === '<' : next !== '0' && isDigit(index + 1);
      if (isReference) return 'Workflows cannot use lookaround or backreferences in regular expressions';
      index += 1;
      last = 1;
      size += 1;
    } else if (char === '[') {
      const start = index;
      for (index += 1; index < source.length && source[index] !== ']'; index++) {
        if (source[index] === '\\') index += 1;
      }
      last = index - start;
      size += last;
    } else if (char === '(') {
      const kind = source[index + 2];
      const isBehind = kind === '<' && (source[index + 3] === '=' || source[index + 3] === '!');
      if (next === '?' && (kind === '=' || kind === '!' || isBehind)) {
        return 'Workflows cannot use lookaround or backreferences in regular expressions';
      }
      outer[depth] = size;
      depth += 1;
      size = 1;
    } else if (char === ')' && depth > 0) {
      depth -= 1;
      last = size;
      size += outer[depth] as number;
    } else if (char === '{') {
      const count = readCount();
      size += last * (count - 1);
      last *= count;
    } else {
      last = 1;
      size += 1;
    }
    if (size > MAX_EXPANDED) {
      return 'The regular expression is too large once its repetitions are expanded: use fewer or smaller counts';
    }
  }
  return null;
}
