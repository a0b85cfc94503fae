/** Interned texts: each text is stored once and referenced by number. Recently used ones are cached. */
import { BoundedCache } from '#engine/cache/bounded-cache';

const MAX_CACHED = 5_000;

/** @remarks table and column are constants of the code, never input */
export class InternedTexts {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #column: string;
  readonly #stampColumn: string | null;
  readonly #numbers = new BoundedCache<string, number>(MAX_CACHED);
  readonly #texts = new BoundedCache<number, string>(MAX_CACHED);

  /** @param stampColumn gets the instant at which a text is stored, in epoch milliseconds */
  constructor(sql: SqlStorage, table: string, column: string, stampColumn: string | null = null) {
    this.#sql = sql;
    this.#stampColumn = stampColumn;
    this.#table = table;
    this.#column = column;
  }

  /** Null: the text is not stored. */
  find(text: string): number | null {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const [row] = this.#sql
      .exec<{ id: number }>(`SELECT id FROM ${this.#table} WHERE ${this.#column} = ?`, text)
      .toArray();
    if (row === undefined) return null;
    this.#cache(row.id, text);
    return row.id;
  }

  /** The text's number; stores the text if it is new. */
  number(text: string): number {
    const known = this.find(text);
    if (known !== null) return known;
    const stamp = this.#stampColumn;
    const [columns, values] =
      stamp === null
        ? [this.#column, '?']
        : [`${this.#column}, ${stamp}`, "?, CAST(unixepoch('subsec') * 1000 AS INTEGER)"];
    const { id } = this.#sql
      .exec<{ id: number }>(`INSERT INTO ${this.#table} (${columns}) VALUES (${values}) RETURNING id`, text)
      .one();
    this.#cache(id, text);
    return id;
  }

  /** Nothing refers to it. */
  delete(text: string): void {
    const id = this.find(text);
    if (id === null) return;
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE id = ?`, id);
    this.#numbers.delete(text);
    this.#texts.delete(id);
  }

  text(id: number): string {
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const row = this.#sql
      .exec<{ text: string }>(`SELECT ${this.#column} AS text FROM ${this.#table} WHERE id = ?`, id)
      .one();
    this.#cache(id, row.text);
    return row.text;
  }

  forget(): void {
    this.#numbers.clear();
    this.#texts.clear();
  }

  #cache(id: number, text: string): void {
    this.#numbers.set(text, id);
    this.#texts.set(id, text);
  }
}
