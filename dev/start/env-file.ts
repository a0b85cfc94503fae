// Reads files of settings, one NAME=value a line, as wrangler does, and finds the lines that it would pass over in silence.
import { parseEnv } from 'node:util';

export interface EnvFile {
  readonly values: NodeJS.Dict<string>;
  /** The line of each name, from 1. */
  readonly lines: ReadonlyMap<string, number>;
  /** Lines that are neither empty, nor a comment, nor NAME=value. */
  readonly malformed: readonly number[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/;

export function readEnvFile(text: string): EnvFile {
  const lines = new Map<string, number>();
  const malformed: number[] = [];
  /** The quote that ends a value of several lines. */
  let quote: string | null = null;
  let openedAt = 0;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (quote !== null) {
      if (line.includes(quote)) quote = null;
      continue;
    }
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value = ''] = assignment.exec(line) ?? [];
    if (name === undefined) {
      malformed.push(index + 1);
      continue;
    }
    lines.set(name, index + 1);
    const [first = ''] = value;
    if (['"', "'", '`'].includes(first) && !value.includes(first, 1)) {
      quote = first;
      openedAt = index + 1;
    }
  }
  if (quote !== null) malformed.push(openedAt);
  return { values: parseEnv(text.replace(/^\uFEFF/, '')), lines, malformed };
}
