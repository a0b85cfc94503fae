/**
 * Tables of a replica.
 *
 *   snapshot         the newest generation, or where a disabled location's environment is served instead
 *   artifact_piece   the texts of the artifact and of its workflow code, split below the row limit
 */
export const migrations: readonly string[] = [
  `CREATE TABLE snapshot (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     generation INTEGER NOT NULL,
     is_retired INTEGER NOT NULL,
     body TEXT NOT NULL
   );
   CREATE TABLE artifact_piece (
     hash TEXT NOT NULL,
     position INTEGER NOT NULL,
     text TEXT NOT NULL,
     PRIMARY KEY (hash, position)
   ) WITHOUT ROWID;`,
];
