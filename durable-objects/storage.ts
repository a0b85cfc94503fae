/**
 * Begins a statement without which earlier code goes on: it adds tables, indexes or columns with a default, and earlier code loses nothing
 * by not reading or writing them. A mark within the text, so that code that does not know the statement reads it in the storage.
 */
export const ADDITIVE = '-- additive\n';

/**
 * Migrations of an object's SQLite: an append-only list. The object stores the text of each applied migration and refuses to start if that
 * history was edited, or has statements that it does not know and that are not additive. See durable-objects/README.md, "Storage migrations".
 *
 * @param announced statements that the next release appends: this code runs with and without them, and does not apply them
 */
export function migrate(
  storage: DurableObjectStorage,
  migrations: readonly string[],
  announced: readonly string[] = [],
): void {
  const { sql } = storage;
  sql.exec('CREATE TABLE IF NOT EXISTS _migration (number INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const applied = sql
    .exec<{ number: number; text: string }>('SELECT number, text FROM _migration ORDER BY number')
    .toArray();
  const known = [...migrations, ...announced];
  for (const { number, text } of applied) {
    const isKnown = number < known.length ? known[number] === text : text.startsWith(ADDITIVE);
    if (!isKnown) {
      throw new Error(
        `Migration ${number} was edited after it had been applied, or is unknown to this version`,
      );
    }
  }
  if (applied.length >= migrations.length) return;
  storage.transactionSync(() => {
    for (const [number, text] of migrations.entries()) {
      if (number < applied.length) continue;
      sql.exec(text);
      sql.exec('INSERT INTO _migration (number, text) VALUES (?, ?)', number, text);
    }
  });
}
