/** The tables of the objects: columns from their storage migrations, meanings from the comment of each schema.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root } from '../tools/run-tool.ts';
import { cell } from './read-comment.ts';

const OBJECTS = [
  ['environment-replica', 'Environment replica'],
  ['event-stream', 'Event stream'],
  ['ledger', 'Ledger'],
] as const;

interface TableText {
  about: string;
  readonly columns: Map<string, string>;
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** @throws if a table or column has no meaning, or the comment has one that the migrations do not have */
export async function objectTables(): Promise<string> {
  const sections: string[] = [];
  for (const [folder, title] of OBJECTS) {
    const path = join(root, 'durable-objects', folder, 'schema.ts');
    const { migrations } = (await import(path)) as { migrations: readonly string[] };
    sections.push(`### ${title}`, ...sectionsOf(folder, readFileSync(path, 'utf8'), migrations));
  }
  return sections.join('\n\n');
}

function sectionsOf(folder: string, source: string, migrations: readonly string[]): string[] {
  const texts = readComment(source);
  const database = new DatabaseSync(':memory:');
  for (const statements of migrations) database.exec(statements);
  const names = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  const unknown = [...texts.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`durable-objects/${folder}/schema.ts describes no table ${unknown}`);
  const sections = names.map((name) => {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all() as unknown as ColumnInfo[];
    return tableText(folder, name, columns, texts.get(name));
  });
  database.close();
  return sections;
}

function tableText(
  folder: string,
  name: string,
  columns: readonly ColumnInfo[],
  text: TableText | undefined,
): string {
  const rows = columns.map((column) => {
    const meaning = text?.columns.get(column.name);
    if (meaning === undefined) {
      throw new Error(`durable-objects/${folder}/schema.ts does not describe ${name}.${column.name}`);
    }
    const isNullable = column.notnull === 0 && column.pk === 0 && column.type !== '';
    const type = [
      ...(column.type === '' ? ['indexed text'] : [column.type.toLowerCase()]),
      ...(column.pk > 0 ? ['key'] : []),
      ...(isNullable ? ['may be null'] : []),
    ].join(', ');
    return `| \`${column.name}\` | ${type} | ${cell(sentence(meaning))} |`;
  });
  if (text !== undefined && text.columns.size !== columns.length) {
    throw new Error(`durable-objects/${folder}/schema.ts describes a column that ${name} does not have`);
  }
  const about = text === undefined ? [] : [sentence(text.about), ''];
  return [`#### \`${name}\``, '', ...about, '| column | type | meaning |', '|---|---|---|', ...rows].join(
    '\n',
  );
}

/** `table   meaning` three spaces in, `column: meaning` five. */
function readComment(source: string): Map<string, TableText> {
  const tables = new Map<string, TableText>();
  let table: TableText = { about: '', columns: new Map() };
  for (const line of source.slice(0, source.indexOf('*/')).split('\n')) {
    const [, name, about = ''] = /^ \* {3}(\w+) {2,}(.+)$/.exec(line) ?? [];
    const [, column, meaning = ''] = /^ \* {5}(\w+): (.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      table = { about, columns: new Map() };
      tables.set(name, table);
    } else if (column !== undefined) table.columns.set(column, meaning);
  }
  return tables;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
