// The statements of the objects' storage that the last release knew, and which ones may follow them: code of the last release runs on what
// today's code has stored (durable-objects/README.md, "Storage migrations").
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../tools/run-tool.ts';

/** As in durable-objects/storage.ts. */
export interface Statements {
  readonly migrations: readonly string[];
  readonly announced?: readonly string[];
}

/** By folder of the class. */
export type StatementsByClass = Readonly<Record<string, Statements>>;

export const STATEMENTS_PATH = 'tests/rules/storage.lock';

const ADDITIVE = '-- additive\n';
const ADDS = [
  /^CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?\w+/i,
  /^CREATE INDEX (?:IF NOT EXISTS )?\w+/i,
  // Without a default, an insert of earlier code would fail.
  /^ALTER TABLE \w+ ADD COLUMN \w+ (?!.*\b(?:PRIMARY|UNIQUE|REFERENCES|CHECK|GENERATED)\b)(?:(?!.*\bNOT NULL\b)|.*\bDEFAULT\b)/is,
];

export async function readStatements(): Promise<StatementsByClass> {
  const folders = readdirSync(join(root, 'durable-objects')).sort();
  const paths = folders.map((name) => [name, join(root, 'durable-objects', name, 'schema.ts')] as const);
  return Object.fromEntries(
    await Promise.all(
      paths
        .filter(([, path]) => existsSync(path))
        .map(async ([name, path]) => [name, (await import(pathToFileURL(path).href)) as Statements] as const),
    ),
  );
}

/** `class hash`, a line for each statement that the code knows, in their order. */
export function formatStatements(classes: StatementsByClass): string {
  return Object.entries(classes)
    .flatMap(([name, { migrations, announced = [] }]) =>
      [...migrations, ...announced].map((text) => `${name} ${hashOf(text)}\n`),
    )
    .join('');
}

/** @param released what formatStatements wrote for the last release */
export function statementProblems(classes: StatementsByClass, released: string): string[] {
  const lines = released.split('\n').filter(Boolean);
  const names = new Set([...Object.keys(classes), ...lines.map((line) => line.split(' ')[0] ?? '')]);
  return [...names].flatMap((name) => {
    const { migrations = [], announced = [] } = classes[name] ?? {};
    const known = lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1]);
    if (known.length === 0) return []; // Objects of a new class.
    const all = [...migrations, ...announced];
    const edited = known.findIndex((hash, index) => hash !== hashOf(all[index] ?? ''));
    if (edited >= 0) return [`${name}: statement ${edited} was edited or removed since the last release`];
    return migrations.slice(known.length).flatMap((text, index) => {
      if (isAdditive(text)) return [];
      return [
        `${name}: statement ${known.length + index} is not additive, and the last release does not know it. Announce it in this release, and apply it in the next one`,
      ];
    });
  });
}

function isAdditive(text: string): boolean {
  const statements = text.split(';').map((each) => each.replace(/^\s*--.*$/gm, '').trim());
  return (
    text.startsWith(ADDITIVE) &&
    statements
      .filter(Boolean)
      .every((each) => ADDS.some((pattern) => pattern.test(each)) && !/\bAS\s+SELECT\b/i.test(each))
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
