/** From the editor's compiled JavaScript to the module that a dynamic worker executes. Nothing of the browser is trusted. */
import type { CodeProblem } from '#contracts/internal/workflow-run';
import { parseCode } from './code-problems.ts';
import { instrumentCode } from './instrument-code.ts';

export type CompiledCode = { readonly module: string } | { readonly problems: readonly CodeProblem[] };

export function compileCode(compiled: string): CompiledCode {
  const parsed = parseCode(compiled);
  if ('problems' in parsed) return parsed;
  try {
    return { module: instrumentCode(compiled, parsed) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [{ line: null, message: 'The code is nested too deeply' }] };
  }
}
