/**
 * What one replica keeps in its SQLite: the newest snapshot it was given, the artifact in pieces below the platform's
 * row limit, or, once its location was turned off, only where the environment is to be found instead.
 */

import type { Location } from '#contracts/locations';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import { migrate } from '#objects/storage';

const MIGRATIONS = [
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

/** UTF-16 units; at most three octets each, so a piece stays below the 2 MB of a row. */
const PIECE_LENGTH = 500_000;

export const NOTHING = -1;

export type StoredReplica =
  | { readonly kind: 'snapshot'; readonly snapshot: EnvironmentSnapshot }
  | { readonly kind: 'retired'; readonly generation: number; readonly locations: readonly Location[] };

/** Nothing is written before something is published: asking an absent replica leaves no trace of it. */
export class ReplicaStore {
  readonly #storage: DurableObjectStorage;
  #isMade = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Of what is stored; NOTHING where nothing was ever published. */
  generation(): number {
    if (!this.#hasTables()) return NOTHING;
    const [row] = this.#storage.sql
      .exec<{ generation: number }>('SELECT generation FROM snapshot WHERE id = 1')
      .toArray();
    return row?.generation ?? NOTHING;
  }

  load(): StoredReplica | null {
    if (!this.#hasTables()) return null;
    migrate(this.#storage, MIGRATIONS);
    const [row] = this.#storage.sql
      .exec<{ generation: number; is_retired: number; body: string }>(
        'SELECT generation, is_retired, body FROM snapshot WHERE id = 1',
      )
      .toArray();
    if (row === undefined) return null;
    if (row.is_retired === 1) {
      return { kind: 'retired', generation: row.generation, locations: JSON.parse(row.body) as Location[] };
    }
    const snapshot = JSON.parse(row.body) as EnvironmentSnapshot;
    if (snapshot.artifact === null) return { kind: 'snapshot', snapshot };
    const content = this.#readPieces(snapshot.artifact.hash);
    return { kind: 'snapshot', snapshot: { ...snapshot, artifact: { ...snapshot.artifact, content } } };
  }

  save(stored: StoredReplica): void {
    migrate(this.#storage, MIGRATIONS);
    this.#storage.transactionSync(() => {
      if (stored.kind === 'retired') {
        this.#write(stored.generation, true, JSON.stringify(stored.locations));
        this.#storage.sql.exec('DELETE FROM artifact_piece');
        return;
      }
      const { artifact } = stored.snapshot;
      const head =
        artifact === null ? stored.snapshot : { ...stored.snapshot, artifact: { ...artifact, content: '' } };
      this.#write(stored.snapshot.generation, false, JSON.stringify(head));
      this.#storage.sql.exec('DELETE FROM artifact_piece WHERE hash <> ?', artifact?.hash ?? '');
      if (artifact !== null) this.#writePieces(artifact.hash, artifact.content);
    });
  }

  #hasTables(): boolean {
    this.#isMade ||=
      this.#storage.sql
        .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'snapshot'")
        .toArray().length > 0;
    return this.#isMade;
  }

  #write(generation: number, isRetired: boolean, body: string): void {
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO snapshot (id, generation, is_retired, body) VALUES (1, ?, ?, ?)',
      generation,
      isRetired ? 1 : 0,
      body,
    );
  }

  /** An artifact never changes under its hash, so pieces that stand already are left alone. */
  #writePieces(hash: string, content: string): void {
    const { sql } = this.#storage;
    const isStored =
      sql.exec('SELECT 1 FROM artifact_piece WHERE hash = ? LIMIT 1', hash).toArray().length > 0;
    if (isStored) return;
    for (let start = 0, position = 0; start < content.length; position++) {
      const end = endOfPiece(content, start);
      sql.exec(
        'INSERT INTO artifact_piece (hash, position, text) VALUES (?, ?, ?)',
        hash,
        position,
        content.slice(start, end),
      );
      start = end;
    }
  }

  #readPieces(hash: string): string {
    const rows = this.#storage.sql.exec<{ text: string }>(
      'SELECT text FROM artifact_piece WHERE hash = ? ORDER BY position',
      hash,
    );
    let content = '';
    for (const { text } of rows) content += text;
    return content;
  }
}

/** Never between the two halves of a surrogate pair, which alone could not be stored. */
function endOfPiece(content: string, start: number): number {
  const end = Math.min(start + PIECE_LENGTH, content.length);
  const last = content.charCodeAt(end - 1);
  const splitsPair = end < content.length && last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? end - 1 : end;
}
