/**
 * The TypeScript line of each line of a workflow's compiled JavaScript, as a comment at its end: `//# sourceLines=1,1,3`, each
 * number relative to the one before. Errors name the developer's lines with it. It comes from the browser, so it decides nothing else.
 */

const COMMENT = '//# sourceLines=';
const COMMENT_PATTERN = /\/\/# sourceLines=([-\d,]*)\s*$/;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SOURCE_LINE = 2;
/** A source of 256 KB has no more. */
const MAX_LINE = 256 * 1024;

/** @param lines the source's line, from 1, of each line of the JavaScript */
export function withSourceLines(javascript: string, lines: readonly number[]): string {
  const deltas = lines.map((line, index) => line - (lines[index - 1] ?? 0));
  return `${javascript.trimEnd()}\n${COMMENT}${deltas.join()}\n`;
}

/** @returns empty without the comment, or if it makes no sense; at most one for each line of the code */
export function readSourceLines(compiled: string): readonly number[] {
  const end = compiled.lastIndexOf(COMMENT);
  const text = COMMENT_PATTERN.exec(compiled.slice(end))?.[1];
  if (!text) return [];
  const most = compiled.slice(0, end).split('\n').length;
  const lines: number[] = [];
  let line = 0;
  for (const delta of text.split(',', most)) {
    line += Number(delta);
    if (!Number.isSafeInteger(line) || line < 1 || line > MAX_LINE) return [];
    lines.push(line);
  }
  return lines;
}

/**
 * @param mappings of a source map (ECMA-426) with one source
 * @returns the source's line, from 1, of each line of the generated code: that of the first segment, or else of the line before
 */
export function sourceLinesOf(mappings: string): number[] {
  const lines: number[] = [];
  let current = 0;
  let shown = 0;
  for (const group of mappings.split(';')) {
    let first: number | null = null;
    for (const segment of group.split(',')) {
      current += readVlq(segment)[SOURCE_LINE] ?? 0;
      if (segment !== '') first ??= current;
    }
    shown = first ?? shown;
    lines.push(shown + 1);
  }
  return lines;
}

/** The numbers of a segment, base64 VLQ. */
function readVlq(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = BASE64.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
