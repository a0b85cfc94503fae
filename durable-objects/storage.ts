/**
 * Migrations of an object's SQLite: an append-only list. The object stores the text of each applied migration and
 * refuses to start if that history was edited. See durable-objects/README.md, "Storage migrations".
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const { sql } = storage;
  sql.exec('CREATE TABLE IF NOT EXISTS _migration (number INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const applied = sql
    .exec<{ number: number; text: string }>('SELECT number, text FROM _migration ORDER BY number')
    .toArray();
  for (const { number, text } of applied) {
    if (migrations[number] !== text) {
      throw new Error(
        `Migration ${number} was edited after it had been applied, or is unknown to this version`,
      );
    }
  }
  if (applied.length === migrations.length) return;
  storage.transactionSync(() => {
    for (const [number, text] of migrations.entries()) {
      if (number < applied.length) continue;
      sql.exec(text);
      sql.exec('INSERT INTO _migration (number, text) VALUES (?, ?)', number, text);
    }
  });
}
