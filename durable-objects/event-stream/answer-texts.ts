/**
 * The features of answers, each text kept once by its SHA-256 however many events have it, in pieces below the limit of a
 * row, and until no event that is kept refers to it.
 */
import { sha256Hex } from '#worker/platform/hash';

const DAY_MS = 86_400_000;
/** UTF-16 units of one row: at most 1.5 MB in UTF-8. */
const PIECE_LENGTH = 500_000;
/** UTF-16 units of texts whose hashes are remembered. */
const MAX_REMEMBERED = 4_000_000;

export interface AnswerText {
  readonly text: string;
  readonly hash: string;
  /** The row is known to be kept for events up to this instant. */
  keptUntil: number;
  /** What is known holds for as long as nothing was deleted or rolled back. */
  generation: number;
}

export class AnswerTexts {
  readonly #sql: SqlStorage;
  readonly #remembered = new Map<string, AnswerText>();
  #rememberedLength = 0;
  #generation = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** To be awaited before the transaction that keeps the texts. */
  async hashAll(texts: readonly string[]): Promise<AnswerText[]> {
    const hashed: AnswerText[] = [];
    for (const text of texts) hashed.push(this.#remembered.get(text) ?? (await this.#hash(text)));
    return hashed;
  }

  /** Keeps a text for events up to this instant; inside the transaction that stores them. */
  keep(answer: AnswerText, until: number): void {
    if (answer.generation === this.#generation && answer.keptUntil >= until) return;
    answer.generation = this.#generation;
    answer.keptUntil = until + DAY_MS; // a text that is in use costs one write a day
    for (const [piece, body] of piecesOf(answer.text).entries()) {
      this.#sql.exec(
        `INSERT INTO text (hash, piece, body, kept_until) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET kept_until = max(kept_until, excluded.kept_until)`,
        ...[answer.hash, piece, body, answer.keptUntil],
      );
    }
  }

  /** Null: it was never kept, or is deleted. */
  find(hash: string): string | null {
    const pieces = this.#sql
      .exec<{ body: string }>('SELECT body FROM text WHERE hash = ? ORDER BY piece', hash)
      .toArray();
    return pieces.length === 0 ? null : pieces.map((piece) => piece.body).join('');
  }

  /** Deletes what only events older than this referred to; to be called when those events are gone. */
  deleteUnused(before: number): void {
    this.forget();
    this.#sql.exec('DELETE FROM text WHERE kept_until < ?', before);
  }

  /** After a roll-back: what is known to be kept may not be. */
  forget(): void {
    this.#generation += 1;
  }

  async #hash(text: string): Promise<AnswerText> {
    const answer = { text, hash: await sha256Hex(text), keptUntil: 0, generation: this.#generation };
    if (this.#rememberedLength + text.length > MAX_REMEMBERED) {
      this.#remembered.clear();
      this.#rememberedLength = 0;
    }
    if (!this.#remembered.has(text)) this.#rememberedLength += text.length;
    this.#remembered.set(text, answer);
    return answer;
  }
}

/** Cuts where no character is cut in two. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  do {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
}
