/**
 * What is known of compiled code once it was read: where its steps go, which names it uses, and whether V8 loads it. Reading takes a
 * parser, which takes the time that a stranger's text makes it take, so it happens in a dynamic worker (sandbox/read-in-loader.ts). It is
 * kept in R2 when the code is saved; what an earlier release saved is read when it is first needed.
 */
import type { CodeProblem, LoadableCode } from '#contracts/internal/workflow-run';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { readSourceLines } from '#engine/workflows/source-lines';
import { sha256Hex } from '#runtime/hash';
import type { Env } from '#worker/env';
import type { Scope } from '#worker/http/request-context';
import { type CodeLiterals, type CodeReading, type CodeSteps, parseReading } from './code-reading.ts';
import { insertSteps } from './insert-steps.ts';
import { readCompiledCode, refusalOf, trialOwner } from './sandbox/run-workflow-code.ts';
import { RunnerError } from './sandbox/runner-error.ts';

/** Raised when the same code would be read differently. */
const FORM = 1;
/** Wall time: a cold dynamic worker has to start. Shorter than the patience of the local watchdog. */
const TIMEOUT_MS = 1_800;
const TOO_COMPLEX = 'The code is too complex to be read';
/** As V8 writes a place in the module of a dynamic worker's only workflow. */
const PLACE = /\bw0\.js:(\d{1,7}):/;
const MAX_MESSAGE_LENGTH = 300;

export type CompiledWorkflow = Pick<ArtifactWorkflow, 'id' | 'compiled'>;

export interface PreparedCode {
  /** Null: the code runs as it is, since its steps are not known. */
  readonly steps: CodeSteps | null;
  /** Why V8 does not load it; null if it does. */
  readonly refusal: CodeProblem | null;
  readonly literals: CodeLiterals;
}

/**
 * Of code that somebody wants to save. Nothing is kept.
 * @param beforeLoading called if a dynamic worker of its own will load the code, and may refuse
 * @throws {RunnerError} if code cannot be read now
 */
export async function checkCode(
  env: Env,
  scope: Scope,
  workflow: CompiledWorkflow,
  beforeLoading?: () => Promise<void>,
): Promise<PreparedCode & { readonly problems: readonly CodeProblem[] }> {
  const kept = await findPrepared(env, scope, workflow);
  if (kept?.refusal === null && kept.steps !== null) return { ...kept, problems: [] };
  const { problems, steps, literals } = await readCode(env, scope, workflow);
  const [problem = null] = problems;
  if (problem !== null) return { problems, steps, literals, refusal: problem };
  await beforeLoading?.();
  const refusal = (await findRefusal(env, scope, workflow, steps))?.problem ?? null;
  return { problems: refusal === null ? [] : [refusal], steps, literals, refusal };
}

/** Of code that somebody tries, which may be saved code. Nothing is kept. @throws {RunnerError} */
export async function prepareTrial(
  env: Env,
  scope: Scope,
  workflow: CompiledWorkflow,
): Promise<PreparedCode> {
  return (await findPrepared(env, scope, workflow)) ?? checkCode(env, scope, workflow);
}

/** Of saved code. What an earlier release saved and could not be saved today runs without steps if V8 loads it. @throws {RunnerError} */
export async function prepareSaved(
  env: Env,
  scope: Scope,
  workflow: CompiledWorkflow,
): Promise<PreparedCode> {
  const kept = await findPrepared(env, scope, workflow);
  if (kept !== null) return kept;
  const { problems, steps, literals, isLost } = await readCode(env, scope, workflow);
  const refusal = await findRefusal(env, scope, workflow, steps);
  // What was not said in time is no reason to stop code that ran until now, and not worth keeping.
  if (refusal?.isLost) return { steps, literals, refusal: null };
  const prepared = { steps, literals, refusal: refusal && (problems[0] ?? refusal.problem) };
  if (!isLost) await keepPrepared(env, scope, workflow, prepared);
  return prepared;
}

export async function keepPrepared(
  env: Env,
  scope: Scope,
  workflow: CompiledWorkflow,
  { steps, refusal, literals }: PreparedCode,
): Promise<void> {
  const text = JSON.stringify({ steps, refusal, literals } satisfies PreparedCode);
  await env.ARTIFACTS.put(await keyOf(scope, workflow), text, {
    httpMetadata: { contentType: 'application/json' },
  });
}

/** The module that a dynamic worker loads. */
export function moduleOf(compiled: string, { steps, refusal }: Omit<PreparedCode, 'literals'>): string {
  if (refusal === null) return steps === null ? compiled : insertSteps(compiled, steps);
  const text = refusal.line === null ? refusal.message : `Line ${refusal.line}: ${refusal.message}`;
  return `export default () => { throw ${JSON.stringify(text)}; };\n`;
}

async function findPrepared(
  env: Env,
  scope: Scope,
  workflow: CompiledWorkflow,
): Promise<PreparedCode | null> {
  const stored = await env.ARTIFACTS.get(await keyOf(scope, workflow));
  return stored === null ? null : ((await stored.json()) as PreparedCode);
}

async function keyOf({ orgId }: Scope, { compiled }: CompiledWorkflow): Promise<string> {
  return `artifacts/${orgId}/reading-${FORM}-${await sha256Hex(compiled)}`;
}

/** @throws {RunnerError} */
async function readCode(
  env: Env,
  { orgId }: Scope,
  { compiled }: CompiledWorkflow,
): Promise<CodeReading & { readonly isLost: boolean }> {
  const answer = await readCompiledCode(env, { owner: orgId, compiled, timeoutMs: TIMEOUT_MS });
  if (answer === null) {
    return { problems: [{ line: null, message: TOO_COMPLEX }], steps: null, literals: [], isLost: true };
  }
  try {
    return { ...parseReading(answer, compiled), isLost: false };
  } catch (error) {
    throw new RunnerError(error instanceof Error ? error.message : String(error));
  }
}

/** The same dynamic worker as that of a run which somebody tries: it need not be loaded twice. */
async function findRefusal(
  env: Env,
  { orgId }: Scope,
  { id, compiled }: CompiledWorkflow,
  steps: CodeSteps | null,
): Promise<{ readonly problem: CodeProblem; readonly isLost: boolean } | null> {
  const module = moduleOf(compiled, { steps, refusal: null });
  const lines = readSourceLines(compiled);
  const code = await loadableOf([{ workflowId: id, module, lines }]);
  const refusal = await refusalOf(env, { owner: trialOwner(orgId), code, timeoutMs: TIMEOUT_MS });
  return refusal && { problem: problemOf(refusal.reason, lines), isLost: refusal.isLost };
}

/** In V8's words, without its place. */
function problemOf(reason: string, lines: readonly number[]): CodeProblem {
  const line = Number(PLACE.exec(reason)?.[1] ?? 0);
  const [, words = reason] = /SyntaxError: (.*)/.exec(reason) ?? [];
  const message = words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : words;
  return { line: line === 0 ? null : (lines[line - 1] ?? line), message };
}

/** Equal code has an equal hash, and so one dynamic worker. */
export async function loadableOf(workflows: LoadableCode['workflows']): Promise<LoadableCode> {
  return { hash: await sha256Hex(JSON.stringify(workflows)), workflows };
}
