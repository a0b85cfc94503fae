/** Texts that stand once in the storage and are referred to by number; those in use are remembered. */
import { TwoGenerationCache } from '#engine/entitlements/two-generation-cache';

const REMEMBERED = 5_000;

/** @remarks table and column are constants of the code, never input */
export class NumberedNames {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #column: string;
  #numbers = new TwoGenerationCache<number>(REMEMBERED);
  #texts = new TwoGenerationCache<string>(REMEMBERED);

  constructor(sql: SqlStorage, table: string, column: string) {
    this.#sql = sql;
    this.#table = table;
    this.#column = column;
  }

  /** Null: it was never stored. */
  find(text: string): number | null {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const [row] = this.#sql
      .exec<{ id: number }>(`SELECT id FROM ${this.#table} WHERE ${this.#column} = ?`, text)
      .toArray();
    if (row === undefined) return null;
    this.#remember(row.id, text);
    return row.id;
  }

  /** Stores it where it is new. */
  number(text: string): number {
    const known = this.find(text);
    if (known !== null) return known;
    const { id } = this.#sql
      .exec<{ id: number }>(`INSERT INTO ${this.#table} (${this.#column}) VALUES (?) RETURNING id`, text)
      .one();
    this.#remember(id, text);
    return id;
  }

  text(id: number): string {
    const known = this.#texts.get(String(id));
    if (known !== undefined) return known;
    const row = this.#sql
      .exec<{ text: string }>(`SELECT ${this.#column} AS text FROM ${this.#table} WHERE id = ?`, id)
      .one();
    this.#remember(id, row.text);
    return row.text;
  }

  forget(): void {
    this.#numbers = new TwoGenerationCache(REMEMBERED);
    this.#texts = new TwoGenerationCache(REMEMBERED);
  }

  #remember(id: number, text: string): void {
    this.#numbers.set(text, id);
    this.#texts.set(String(id), text);
  }
}
