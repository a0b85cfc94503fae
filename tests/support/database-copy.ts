// A copy of every row in D1, and the way back to it: what `wrangler d1 time-travel restore` does to a deployed database.
import { env } from 'cloudflare:workers';

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Record<string, string | number | null>[];
}

export interface DatabaseCopy {
  /** Replaces every row by the copied ones. Objects, buckets and queues keep what they have. */
  restore(): Promise<void>;
}

export async function copyDatabase(): Promise<DatabaseCopy> {
  const tables: Table[] = [];
  for (const name of await tableNames()) {
    const columns = await columnsOf(name);
    const { results } = await env.DB.prepare(`SELECT ${columns.join(', ')} FROM "${name}"`).all();
    tables.push({ name, columns, rows: results as Table['rows'] });
  }
  return { restore: () => restore(tables) };
}

async function restore(tables: readonly Table[]): Promise<void> {
  // The audit log refuses to be changed, and counts are copied with what they count. The search index of customers is not copied: its
  // triggers fill it.
  const { results: triggers } = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE 'known\\_customer\\_%' ESCAPE '\\'",
  ).all<{ name: string; sql: string }>();
  const wanted = tables.flatMap(({ name, columns, rows }) =>
    rows.map((row) =>
      env.DB.prepare(
        `INSERT INTO "${name}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ).bind(...Object.values(row)),
    ),
  );
  await env.DB.batch([
    env.DB.prepare('PRAGMA defer_foreign_keys = ON'),
    ...triggers.map(({ name }) => env.DB.prepare(`DROP TRIGGER "${name}"`)),
    ...tables.map(({ name }) => env.DB.prepare(`DELETE FROM "${name}"`)),
    ...wanted,
    ...triggers.map(({ sql }) => env.DB.prepare(sql)),
  ]);
}

/** Without search indexes, which are virtual, and the tables that those make. */
async function tableNames(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string; sql: string }>();
  const virtual = results.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name);
  return results
    .map(({ name }) => name)
    .filter((name) => !virtual.some((index) => name === index || name.startsWith(`${index}_`)));
}

/** Without generated columns. */
async function columnsOf(table: string): Promise<string[]> {
  const { results } = await env.DB.prepare(`PRAGMA table_xinfo("${table}")`).all<{
    name: string;
    hidden: number;
  }>();
  return results.filter(({ hidden }) => hidden === 0).map(({ name }) => `"${name}"`);
}
