/**
 * SQLite storage of one replica: the newest snapshot, with the artifact split into pieces below the row limit; or, for a
 * disabled location, only the locations that serve the environment instead.
 */
import type { Regions } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { textsOf, withTexts } from '#contracts/internal/snapshot-texts';
import type { Location } from '#contracts/public/locations';
import { splitText } from '../lib/split-text.ts';
import { migrate } from '../storage.ts';
import { migrations } from './schema.ts';

/** The generation of a replica that has never stored anything. */
export const NO_GENERATION = -1;

export type StoredReplica =
  | { readonly kind: 'snapshot'; readonly snapshot: EnvironmentSnapshot }
  | { readonly kind: 'retired'; readonly generation: number; readonly locations: readonly Location[] };

/** Creates tables on the first save only, so that pulling from an absent replica stores nothing. */
export class ReplicaStore {
  readonly #storage: DurableObjectStorage;
  #tablesExist = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  generation(): number {
    if (!this.#hasTables()) return NO_GENERATION;
    const [row] = this.#storage.sql
      .exec<{ generation: number }>('SELECT generation FROM snapshot WHERE id = 1')
      .toArray();
    return row?.generation ?? NO_GENERATION;
  }

  load(): StoredReplica | null {
    const stored = this.#read();
    if (stored?.kind !== 'snapshot') return stored;
    return { kind: 'snapshot', snapshot: withTexts(stored.snapshot, (hash) => this.#readPieces(hash)) };
  }

  /** Without reading the texts. */
  regions(): Regions | null {
    const stored = this.#read();
    if (stored === null) return null;
    const { generation, locations, leaving } =
      stored.kind === 'retired' ? { ...stored, leaving: undefined } : stored.snapshot;
    return { generation, locations, leaving };
  }

  /** The texts of a snapshot are empty. */
  #read(): StoredReplica | null {
    if (!this.#hasTables()) return null;
    migrate(this.#storage, migrations);
    const [row] = this.#storage.sql
      .exec<{ generation: number; is_retired: number; body: string }>(
        'SELECT generation, is_retired, body FROM snapshot WHERE id = 1',
      )
      .toArray();
    if (row === undefined) return null;
    if (row.is_retired === 1) {
      return { kind: 'retired', generation: row.generation, locations: JSON.parse(row.body) as Location[] };
    }
    return { kind: 'snapshot', snapshot: JSON.parse(row.body) as EnvironmentSnapshot };
  }

  save(stored: StoredReplica): void {
    migrate(this.#storage, migrations);
    this.#storage.transactionSync(() => {
      if (stored.kind === 'retired') {
        this.#write(stored.generation, true, JSON.stringify(stored.locations));
        this.#storage.sql.exec('DELETE FROM artifact_piece');
        return;
      }
      const { snapshot } = stored;
      const texts = textsOf(snapshot);
      this.#write(snapshot.generation, false, JSON.stringify(withTexts(snapshot, () => '')));
      const kept = [...texts.keys()];
      this.#storage.sql.exec(
        'DELETE FROM artifact_piece WHERE hash NOT IN (SELECT value FROM json_each(?))',
        JSON.stringify(kept),
      );
      for (const [hash, text] of texts) this.#writePieces(hash, text);
    });
  }

  async erase(): Promise<void> {
    await this.#storage.deleteAll();
    this.#tablesExist = false;
  }

  #hasTables(): boolean {
    this.#tablesExist ||=
      this.#storage.sql
        .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'snapshot'")
        .toArray().length > 0;
    return this.#tablesExist;
  }

  #write(generation: number, isRetired: boolean, body: string): void {
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO snapshot (id, generation, is_retired, body) VALUES (1, ?, ?, ?)',
      generation,
      isRetired ? 1 : 0,
      body,
    );
  }

  /** Artifacts are content-addressed: pieces already stored under the hash are up to date. */
  #writePieces(hash: string, content: string): void {
    const { sql } = this.#storage;
    const isStored =
      sql.exec('SELECT 1 FROM artifact_piece WHERE hash = ? LIMIT 1', hash).toArray().length > 0;
    if (isStored) return;
    for (const [position, text] of splitText(content).entries()) {
      sql.exec('INSERT INTO artifact_piece (hash, position, text) VALUES (?, ?, ?)', hash, position, text);
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
