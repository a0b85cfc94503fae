// What the migrations make of an empty database, as the statements that make the same at once: tables are created as they are today instead of
// altered fifty times. Each file of the project `worker` begins with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/** @returns tables and indexes, the rows that migrations insert, then triggers, which those rows do not run */
export function migratedDatabase(folder: string): string[] {
  const database = new DatabaseSync(':memory:');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  for (const name of names.sort()) database.exec(readFileSync(join(folder, name), 'utf8'));
  const parts = database
    .prepare(`SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid`)
    .all() as { type: string; name: string; sql: string }[];
  const isTrigger = ({ type }: { type: string }) => type === 'trigger';
  const rows = parts
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => `INSERT INTO "${name}" VALUES (${Object.values(row).map(literal).join(', ')})`),
    );
  database.close();
  const structure = parts.filter((part) => !isTrigger(part)).map(({ sql }) => sql);
  return [...structure, ...rows, ...parts.filter(isTrigger).map(({ sql }) => sql)];
}

function literal(value: SQLOutputValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
