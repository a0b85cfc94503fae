/** The texts in a workflow's code that could be names of plans, features and properties: for people who rename or delete one. */
import { type Token, tokTypes } from 'acorn';
import { type CodeLiterals, isName, MAX_LINES, MAX_NAMES } from '../code-reading.ts';

/** String literals and templates without expressions, as the parser comes by them. */
export class LiteralCollector {
  readonly #sourceLines: readonly number[];
  readonly #found = new Map<string, Set<number>>();
  /** A template's text, until it is known whether an expression follows. */
  #template: { readonly value: unknown; readonly line: number } | null = null;
  #isAfterQuote = false;
  #lineCount = 0;

  /** @param sourceLines the TypeScript's line of each line of the code */
  constructor(sourceLines: readonly number[]) {
    this.#sourceLines = sourceLines;
  }

  /** The lines of the TypeScript, from 1, in order, by text. */
  get literals(): CodeLiterals {
    return Array.from(this.#found, ([text, lines]) => [text, [...lines].sort((a, b) => a - b)] as const);
  }

  add(token: Token): void {
    const { type } = token;
    const value: unknown = 'value' in token ? token.value : undefined;
    const line = token.loc?.start.line ?? 1;
    if (type === tokTypes.string) this.#note(value, line);
    if (type === tokTypes.backQuote && this.#template !== null)
      this.#note(this.#template.value, this.#template.line);
    this.#template = type === tokTypes.template && this.#isAfterQuote ? { value, line } : null;
    this.#isAfterQuote = type === tokTypes.backQuote;
  }

  #note(value: unknown, line: number): void {
    if (typeof value !== 'string' || !isName(value)) return;
    const lines = this.#found.get(value) ?? new Set();
    const shown = this.#sourceLines[line - 1] ?? line;
    if (lines.has(shown) || this.#lineCount === MAX_LINES) return;
    if (lines.size === 0 && this.#found.size === MAX_NAMES) return;
    this.#found.set(value, lines.add(shown));
    this.#lineCount += 1;
  }
}
