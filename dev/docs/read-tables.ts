/** Tables of worker/index.ts (`'name': handler`), and which files their handlers are in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, join as joinUrl } from 'node:path/posix';
import { root } from '../tools/run-tool.ts';

export const readSource = (path: string) => readFileSync(join(root, path), 'utf8');

/** The file of the handler of each entry of a constant: the first name in it that the file imports, else the file itself. */
export function handlersOf(path: string, constant: string): Map<string, string> {
  const source = readSource(path);
  const files = importedFrom(source, dirname(path));
  const [, body] = new RegExp(`const ${constant}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\};`).exec(source) ?? [];
  if (body === undefined) throw new Error(`${path} has no table ${constant}`);
  const entries = body.matchAll(/^ {2}'([^']+)': ([\s\S]*?)(?=,\n {2}(?:'|\/\/)|,?$(?![\s\S]))/gm);
  return new Map(
    [...entries].map(([, name = '', handler = '']) => {
      const work = handler.replace(/^everyMinutes\(/, '');
      const imported = [...work.matchAll(/\w+/g)].map(([word]) => word).find((word) => files.has(word));
      return [name, files.get(imported ?? '') ?? path];
    }),
  );
}

function importedFrom(source: string, folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, names = '', path = ''] of source.matchAll(/^import \{([^}]+)\} from '(\.[^']+)';/gm)) {
    for (const name of names.split(',')) files.set(name.trim(), joinUrl(folder, path));
  }
  return files;
}
