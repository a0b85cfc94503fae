/**
 * A stream's settings: its organisation, retention, size limit, the number of archive objects written and when the last run was, how far
 * a rebuild of the index has come, which periods have roll-ups of which width, from when on they have reasons and draws, the last chunk whose
 * customers were reported, how often the queued archive object was begun, how many calls were billed, and when the stream was erased.
 * Cached in memory.
 */
export type SettingName =
  | 'org_id'
  | 'retention_days'
  | 'max_bytes'
  | 'archive_objects'
  | 'archived_at'
  | 'rebuild'
  | 'rollups'
  | 'reasons_from'
  | 'draws_from'
  | 'erased_at'
  | 'seen_arrival'
  | 'archive_attempts'
  | 'billed_calls';

export class Settings {
  readonly #sql: SqlStorage;
  readonly #values = new Map<string, string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.invalidate();
  }

  /** Call after a rollback: cached values may not be stored. */
  invalidate(): void {
    this.#values.clear();
    for (const { name, value } of this.#sql.exec<{ name: string; value: string }>(
      'SELECT name, value FROM setting',
    )) {
      this.#values.set(name, value);
    }
  }

  get(name: SettingName): string | undefined {
    return this.#values.get(name);
  }

  set(name: SettingName, value: string): void {
    this.#sql.exec(
      'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      name,
      value,
    );
    this.#values.set(name, value);
  }

  /** The first batch sets the stream's organisation. @throws {Error} for a batch of another organisation, which is a bug */
  claim(orgId: string): void {
    const owner = this.get('org_id');
    if (owner === orgId) return;
    if (owner !== undefined) throw new Error('These events belong to another organisation');
    this.set('org_id', orgId);
  }
}
