// Rows that D1 reads or writes during some work.
import { env } from 'cloudflare:workers';

/** Rows of all statements, index entries included. */
export async function rowsOf(
  kind: 'rows_read' | 'rows_written',
  work: () => Promise<unknown>,
): Promise<number> {
  let rows = 0;
  const prototype = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement;
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const { raw, all, run } = prototype;
  const { batch } = database;
  Object.assign(prototype, {
    async all(this: D1PreparedStatement) {
      const result = await all.call(this);
      rows += result.meta[kind];
      return result;
    },
    async run(this: D1PreparedStatement) {
      const result = await run.call(this);
      rows += result.meta[kind];
      return result;
    },
    async raw(this: D1PreparedStatement, ...options: []) {
      rows += (await all.call(this)).meta[kind];
      return raw.apply(this, options);
    },
  });
  Object.assign(database, {
    async batch(this: D1Database, statements: D1PreparedStatement[]) {
      const results = await batch.call(this, statements);
      for (const { meta } of results) rows += meta[kind];
      return results;
    },
  });
  try {
    await work();
  } finally {
    Object.assign(prototype, { raw, all, run });
    Object.assign(database, { batch });
  }
  return rows;
}
