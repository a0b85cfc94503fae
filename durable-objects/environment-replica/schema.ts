/**
 * Tables of a replica, and what their columns mean. `npm run docs` copies this into docs/data.md.
 *
 *   snapshot         the newest generation, or where a disabled location's environment is served instead
 *     id: always 1
 *     generation: the snapshot's generation; only a higher one replaces it
 *     is_retired: 1: the location is disabled
 *     body: JSON of the snapshot without the texts below; of a retired replica, of the locations to use instead
 *   artifact_piece   the texts of the artifact and of its workflow code, split below the row limit
 *     hash: SHA-256 of the whole text
 *     position: number of the piece, from 0
 *     text: the piece
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
