/** Finds texts in a workflow's code that are equal to a name. For people in the console; an access check never reads code. */
import { tokenizer, tokTypes } from 'acorn';
import { readSourceLines } from '#engine/workflows/source-lines';

/**
 * String literals and templates without expressions. Code that does not tokenise is read up to there.
 * @param compiled JavaScript
 * @returns the lines of the TypeScript, from 1, in order, by name
 */
export function findLiterals(compiled: string, names: ReadonlySet<string>): ReadonlyMap<string, number[]> {
  const sourceLines = readSourceLines(compiled);
  const found = new Map<string, number[]>();
  const add = (value: unknown, line: number) => {
    if (typeof value !== 'string' || !names.has(value)) return;
    const lines = found.get(value) ?? [];
    const shown = sourceLines[line - 1] ?? line;
    if (!lines.includes(shown))
      found.set(
        value,
        [...lines, shown].sort((a, b) => a - b),
      );
  };
  /** A template's text, until it is known whether an expression follows. */
  let template: { readonly value: unknown; readonly line: number } | null = null;
  let isAfterQuote = false;
  try {
    for (const token of tokenizer(compiled, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      locations: true,
    })) {
      const { type } = token;
      const value: unknown = 'value' in token ? token.value : undefined;
      const line = token.loc?.start.line ?? 1;
      if (type === tokTypes.string) add(value, line);
      if (type === tokTypes.backQuote && template !== null) add(template.value, template.line);
      template = type === tokTypes.template && isAfterQuote ? { value, line } : null;
      isAfterQuote = type === tokTypes.backQuote;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}
