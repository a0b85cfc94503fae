/** From the editor's compiled JavaScript to what a dynamic worker loads. Parses nothing. */
import type { LoadableCode, LoadableWorkflow } from '#contracts/internal/workflow-run';
import { readSourceLines } from '#engine/workflows/source-lines';
import type { Env } from '#worker/env';
import type { Scope } from '#worker/http/request-context';
import {
  type CompiledWorkflow,
  loadableOf,
  moduleOf,
  type PreparedCode,
  prepareSaved,
  prepareTrial,
} from './prepare-code.ts';

/** Of saved workflows, with what was kept when they were saved. @throws {RunnerError} if one has to be read, and cannot be now */
export async function makeLoadableCode(
  env: Env,
  scope: Scope,
  workflows: readonly CompiledWorkflow[],
): Promise<LoadableCode> {
  return loadAll(workflows, (each) => prepareSaved(env, scope, each));
}

/** Of one that somebody tries, saved or not. @throws {RunnerError} */
export async function makeTrialCode(
  env: Env,
  scope: Scope,
  workflow: CompiledWorkflow,
): Promise<LoadableCode> {
  return loadAll([workflow], (each) => prepareTrial(env, scope, each));
}

/**
 * The compiled code as it is, without steps: where a snapshot of an earlier release has nothing else, since checks parse nothing.
 * @param hash of the version
 */
export function plainCode(hash: string, compiled: readonly CompiledWorkflow[]): LoadableCode {
  return { hash: `plain-${hash}`, workflows: compiled.map((each) => loadable(each, each.compiled)) };
}

/** Code that V8 refuses becomes a module that throws, so the others run. */
async function loadAll(
  workflows: readonly CompiledWorkflow[],
  prepare: (workflow: CompiledWorkflow) => Promise<PreparedCode>,
): Promise<LoadableCode> {
  return loadableOf(
    await Promise.all(
      workflows.map(async (each) => loadable(each, moduleOf(each.compiled, await prepare(each)))),
    ),
  );
}

function loadable({ id, compiled }: CompiledWorkflow, module: string): LoadableWorkflow {
  return { workflowId: id, module, lines: readSourceLines(compiled) };
}
