/** Every line that the Worker and the objects log with level warn or error, from the source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../tools/run-tool.ts';

export interface LogLine {
  readonly text: string;
  readonly level: 'warn' | 'error';
  /** Relative to the root. */
  readonly file: string;
}

const call = /\b(?:log|effects)\.(warn|error)\(/g;
const literal = /'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
/** A line whose text is an argument: the texts that its file passes on. */
const passedOn = /'([a-z]+\.[a-z-]+-failed)'/g;

export function logLines(): LogLine[] {
  const lines = ['packages', 'runtime', 'worker', 'durable-objects'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .map((path) => path.split(sep).join('/'))
      .flatMap((file) => linesOf(file, readFileSync(join(root, file), 'utf8'))),
  );
  const unique = new Map(lines.map((line) => [`${line.text}\n${line.file}`, line]));
  return [...unique.values()].sort((one, other) => (one.text + one.file < other.text + other.file ? -1 : 1));
}

function linesOf(file: string, source: string): LogLine[] {
  return [...source.matchAll(call)].flatMap((found) => {
    const level = found[1] as LogLine['level'];
    const first = firstArgument(source.slice(found.index + found[0].length));
    const texts = [...first.matchAll(literal)].map(([, quoted, template]) => quoted ?? template ?? '');
    const given = texts.length > 0 ? texts : [...source.matchAll(passedOn)].map(([, text = '']) => text);
    return given.map((text) => ({ text: text.replace(/\$\{[^}]*\}/g, '…'), level, file }));
  });
}

/** Up to the comma or bracket that ends it; neither occurs in the conditions that choose a text. */
function firstArgument(rest: string): string {
  const [argument = ''] = /^(?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^,()'`])*/.exec(rest) ?? [];
  return argument;
}

export function logLineTable(): string {
  const rows = logLines().map(({ text, level, file }) => `| \`${text}\` | ${level} | \`${file}\` |`);
  return ['| line | level | file |', '|---|---|---|', ...rows].join('\n');
}
