/** The code as the editor compiles it. */

export interface Problem {
  /** From 1. Null if the problem has no place in the source. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

export interface Compilation {
  /** The text that was compiled. */
  readonly source: string;
  /** Null if the source has errors. */
  readonly javascript: string | null;
  readonly problems: readonly Problem[];
}

/** How the page controls the editor. */
export interface EditorHandle {
  compile(): Promise<Compilation>;
  /** Replaces the text. The user can undo it. */
  replaceText(text: string): void;
  focus(): void;
  /** Inserts at the cursor. */
  insertText(text: string): void;
  reveal(problem: Problem): void;
}
