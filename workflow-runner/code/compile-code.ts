/** From the editor's compiled JavaScript to the module that a dynamic worker executes. Nothing of the browser is trusted. */
import type { CodeProblem } from '#contracts/internal/workflow-run';
import { readSourceLines } from '#engine/workflows/source-lines';
import { parseCode } from './code-problems.ts';
import { instrumentCode } from './instrument-code.ts';

export type CompiledCode = ModuleCode | { readonly problems: readonly CodeProblem[] };

interface ModuleCode {
  readonly module: string;
  /** The source's line of each line of the module; empty if it is unknown. */
  readonly lines: readonly number[];
}

export function compileCode(compiled: string): CompiledCode {
  const lines = readSourceLines(compiled);
  const parsed = parseCode(compiled);
  if ('problems' in parsed) {
    const lineOf = (line: number | null) => (line === null ? null : (lines[line - 1] ?? line));
    return { problems: parsed.problems.map(({ line, message }) => ({ line: lineOf(line), message })) };
  }
  try {
    return { module: instrumentCode(compiled, parsed), lines };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [{ line: null, message: 'The code is nested too deeply' }] };
  }
}
