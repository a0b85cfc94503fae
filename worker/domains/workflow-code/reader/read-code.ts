/** Everything that the Worker wants to know of compiled code, in one pass of the parser. */
import { readSourceLines } from '#engine/workflows/source-lines';
import type { CodeReading } from '../code-reading.ts';
import { findSteps } from './find-steps.ts';
import { LiteralCollector } from './literal-collector.ts';
import { parseCode } from './parse-code.ts';

/** Never throws. */
export function readCode(compiled: string): CodeReading {
  const lines = readSourceLines(compiled);
  const collector = new LiteralCollector(lines);
  const parsed = parseCode(compiled, lines, (token) => collector.add(token));
  // As far as the code could be parsed.
  const { literals } = collector;
  if ('problems' in parsed) return { problems: parsed.problems, steps: null, literals };
  const steps = findSteps(parsed.program);
  if ('problem' in steps) return { problems: [steps.problem], steps: null, literals };
  return { problems: [], steps, literals };
}
