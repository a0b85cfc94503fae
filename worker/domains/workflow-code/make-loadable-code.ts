/** From the editor's compiled JavaScript to what a dynamic worker loads. */
import type { LoadableCode, LoadableWorkflow } from '#contracts/internal/workflow-run';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { readSourceLines } from '#engine/workflows/source-lines';
import { sha256Hex } from '#runtime/hash';
import { insertSteps } from './insert-steps.ts';
import { parseCode } from './parse-code.ts';

type CompiledWorkflow = Pick<ArtifactWorkflow, 'id' | 'compiled'>;

/** Parses. Code with a problem becomes a module that throws it, so the others run. */
export async function makeLoadableCode(compiled: readonly CompiledWorkflow[]): Promise<LoadableCode> {
  const workflows = compiled.map((each) => loadable(each, moduleOf(each.compiled)));
  return { hash: await sha256Hex(JSON.stringify(workflows)), workflows };
}

/**
 * The compiled code as it is, without steps: where a snapshot of an earlier release has nothing else, since checks parse nothing.
 * @param hash of the version
 */
export function plainCode(hash: string, compiled: readonly CompiledWorkflow[]): LoadableCode {
  return { hash: `plain-${hash}`, workflows: compiled.map((each) => loadable(each, each.compiled)) };
}

function loadable({ id, compiled }: CompiledWorkflow, module: string): LoadableWorkflow {
  return { workflowId: id, module, lines: readSourceLines(compiled) };
}

function moduleOf(compiled: string): string {
  const parsed = parseCode(compiled);
  if ('program' in parsed) return insertSteps(compiled, parsed.program);
  const { line = null, message = 'Refused' } = parsed.problems[0] ?? {};
  const text = line === null ? message : `Line ${line}: ${message}`;
  return `export default () => { throw ${JSON.stringify(text)}; };\n`;
}
