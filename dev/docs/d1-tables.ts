/** The tables of D1: columns from worker/db/schema, their meaning from the doc comments above them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { root } from '../tools/run-tool.ts';
import { cell, commentBefore, plainText } from './read-comment.ts';

const folder = join(root, 'worker/db/schema');

/** Columns that mean the same wherever they have no comment of their own. */
const SHARED: Readonly<Record<string, string>> = {
  id: 'Primary key.',
  orgId: 'The organisation.',
  organizationId: 'The organisation.',
  environmentId: 'The environment.',
  planId: 'The plan.',
  featureId: 'The feature.',
  workflowId: 'The workflow.',
  userId: 'The user.',
  integrationId: 'The connected Stripe account.',
  name: 'As shown in the console.',
  description: 'As shown in the console.',
  slug: 'The name in the API, unique in the organisation.',
  livemode: 'Of Stripe’s live mode.',
  createdAt: 'When the row was created.',
  updatedAt: 'The last change. An edit names the one it is based on.',
  createdByUserId: 'Who created it.',
};

/** @throws if a column has no meaning */
export async function d1Tables(): Promise<string> {
  const sections: [string, string][] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const source = readFileSync(join(folder, file), 'utf8');
    const schema = (await import(join(folder, file))) as Record<string, unknown>;
    for (const [name, table] of Object.entries(schema)) {
      if (is(table, SQLiteTable)) sections.push([getTableName(table), sectionOf(file, source, name, table)]);
    }
  }
  return sections
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, section]) => section)
    .join('\n\n');
}

function sectionOf(file: string, source: string, name: string, table: SQLiteTable): string {
  const start = source.indexOf(`export const ${name} = sqliteTable(`);
  const { body, meanings } = readColumns(source, start);
  const about = commentBefore(source, start);
  const keys = primaryKeyOf(table);
  const targets = targetsOf(table);
  const rows = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const meaning = meanings.get(key) ?? SHARED[key];
    if (meaning === undefined) throw new Error(`worker/db/schema/${file}: ${name}.${key} needs a comment`);
    const type = [
      column.getSQLType(),
      ...(keys.has(column.name) ? ['key'] : []),
      ...(column.notNull ? [] : ['may be null']),
    ].join(', ');
    const target = targets.get(column.name);
    return `| \`${column.name}\` | ${type} | ${cell(meaning)}${target === undefined ? '' : ` Refers to \`${target}\`.`} |`;
  });
  if (body === '') throw new Error(`worker/db/schema/${file}: ${name} was not found`);
  return [
    `#### \`${getTableName(table)}\``,
    '',
    ...(about === '' ? [] : [about, '']),
    '| column | type | meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The doc comments of a table's columns by property, those of spread columns included. */
function readColumns(source: string, start: number): { body: string; meanings: Map<string, string> } {
  const end = source.indexOf('\nexport const ', start + 1);
  const body = source.slice(start, end === -1 ? undefined : end);
  const spread = [...body.matchAll(/\.\.\.(\w+),/g)].map(([, shared]) => {
    const from = source.indexOf(`\nconst ${shared} = {`);
    return source.slice(from, source.indexOf('\n};', from));
  });
  const meanings = new Map<string, string>();
  for (const text of [...spread, body]) {
    for (const [, comment = '', key = ''] of text.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(\w+): /g)) {
      meanings.set(key, plainText(comment));
    }
  }
  return { body, meanings };
}

function primaryKeyOf(table: SQLiteTable): Set<string> {
  const { columns, primaryKeys } = getTableConfig(table);
  const named = primaryKeys.flatMap((key) => key.columns.map((column: SQLiteColumn) => column.name));
  return new Set([...columns.filter(({ primary }) => primary).map(({ name }) => name), ...named]);
}

/** Table by column, for foreign keys of one column. */
function targetsOf(table: SQLiteTable): Map<string, string> {
  const references = getTableConfig(table).foreignKeys.map((key) => key.reference());
  return new Map(
    references.flatMap(({ columns: [column], foreignTable }) =>
      column === undefined ? [] : [[column.name, getTableName(foreignTable)]],
    ),
  );
}
