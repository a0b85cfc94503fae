/** The few things that a stream knows of itself: whose it is, how long it keeps events and how many, what it has archived. */
export type SettingName = 'org_id' | 'retention_days' | 'max_bytes' | 'archive_objects';

export class Settings {
  readonly #sql: SqlStorage;
  readonly #values = new Map<string, string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.reload();
  }

  /** After a roll-back: what was set meanwhile may not stand. */
  reload(): void {
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
}
