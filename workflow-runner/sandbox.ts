/**
 * Dynamic workers: one per tenant and set of workflows, without network and bindings. The isolate remembers the instrumented
 * code of the sandboxes it has seen, within a bound, so that a warm run sends no code.
 */
import type {
  CodeProblem,
  RunCost,
  RunOutcome,
  RunRequest,
  WorkflowCode,
} from '#contracts/internal/workflow-run';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { compileCode } from './code/compile-code.ts';
import type { GuestOutcome, GuestReply, GuestRequest } from './guest/create-runs.ts';
import { type GuestModule, mainModule } from './guest/main-module.ts';

const COMPATIBILITY_DATE = '2026-10-15';
/** Enforced by the platform, not locally. */
const LIMITS = { cpuMs: 50, subRequests: 0 };
const NO_OUTCOMES = 'The dynamic worker returned something other than outcomes';
const STATUSES: readonly string[] = ['done', 'failed', 'killed', 'skipped'];
const MAX_LOGS = 50;
const MAX_LOG_LENGTH = 1000;
/** What an empty run costs: two calls between isolates, and the evaluation of a small module. */
const BASE_COST_MS = 0.5;
const STEPS_PER_MS = 100_000;
/** Share of a budget that one run may take. */
const RUN_SHARE = 0.5;
/** Parsing and rewriting take about 4 µs a character. */
const LOADED_PER_MS = 250;
/** Characters of code in one generation of the cache. */
const REMEMBERED_CODE = 16 * 1024 * 1024;

/** The main module's entry point. */
interface Guest extends Rpc.WorkerEntrypointBranded {
  run(requestText: string): Promise<string>;
  /** Why the only workflow cannot run; null if it can. */
  evaluate(): Promise<string | null>;
}

interface Code {
  readonly load: WorkerLoaderWorkerCode;
  readonly size: number;
  /** Hash of everything that is loaded. A dynamic worker may outlive a release, and the next one has other guards. */
  readonly version: string;
  /** Rises when the dynamic worker broke: its id is not used again. */
  breaks: number;
}

export interface Sandbox {
  run(request: GuestRequest): Promise<GuestReply>;
  evaluate(): Promise<string | null>;
  /** The next run gets a new dynamic worker. */
  markBroken(): void;
}

const known = new BoundedCache<string, Code>(REMEMBERED_CODE, (_, { size }) => size);

/** Whether a run needs no code. */
export function isRemembered(sandboxId: string | null): boolean {
  return sandboxId !== null && known.get(sandboxId) !== undefined;
}

/** What loading takes of the thread, milliseconds. */
export function loadCostOf(code: readonly WorkflowCode[]): number {
  return code.reduce((sum, { compiled }) => sum + compiled.length, 0) / LOADED_PER_MS;
}

/** @returns null if the code was not sent and is not remembered */
export async function loadSandbox(
  loader: WorkerLoader,
  { sandboxId, code: sent }: Pick<RunRequest, 'sandboxId' | 'code'>,
): Promise<Sandbox | null> {
  if (sandboxId === null) return sent === undefined ? null : sandboxOf(loader.load(workerCode(sent)), null);
  let code = known.get(sandboxId);
  if (code === undefined) {
    if (sent === undefined) return null;
    const prepared = await prepare(sent);
    // A concurrent call may have been faster.
    code = known.get(sandboxId) ?? prepared;
    known.set(sandboxId, code);
  }
  const { load, version, breaks } = code;
  return sandboxOf(
    loader.get(`${sandboxId}:${version}:${breaks}`, () => load),
    code,
  );
}

/** @param code null: it is used once */
function sandboxOf(worker: WorkerStub, code: Code | null): Sandbox {
  const guest = worker.getEntrypoint() as unknown as Guest;
  return {
    async run(request) {
      return JSON.parse(await guest.run(JSON.stringify(request))) as GuestReply;
    },
    async evaluate() {
      try {
        return await guest.evaluate();
      } catch (error) {
        return messageOf(error);
      }
    },
    markBroken() {
      if (code !== null) code.breaks += 1;
    },
  };
}

async function prepare(sent: readonly WorkflowCode[]): Promise<Code> {
  const load = workerCode(sent);
  const text = JSON.stringify(load);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return { load, size: text.length, version: new Uint8Array(digest).toHex(), breaks: 0 };
}

/** Code that may not run becomes a module that says so: it was checked before it was saved, by an earlier release perhaps. */
function workerCode(sent: readonly WorkflowCode[]): WorkerLoaderWorkerCode {
  const files: Record<string, string> = {};
  const workflows: GuestModule[] = [];
  for (const { workflowId, compiled } of sent) {
    const result = compileCode(compiled);
    const refusal = 'problems' in result ? describeProblem(result.problems[0]) : null;
    files[`w${workflows.length}.js`] =
      'module' in result ? result.module : `export default () => { throw ${JSON.stringify(refusal)}; };`;
    workflows.push({ workflowId, lines: 'module' in result ? result.lines : [] });
  }
  return {
    compatibilityDate: COMPATIBILITY_DATE,
    mainModule: 'main.js',
    modules: { 'main.js': mainModule(workflows), ...files },
    env: {},
    globalOutbound: null,
    limits: LIMITS,
  };
}

function describeProblem(problem: CodeProblem | undefined): string {
  const { line = null, message = 'Refused' } = problem ?? {};
  return line === null ? message : `Line ${line}: ${message}`;
}

export interface SandboxReply {
  readonly outcomes: readonly RunOutcome[];
  readonly cost: RunCost;
}

/**
 * Never throws: a dynamic worker that breaks is an outcome.
 * @param waitedMs how long the runs have waited, which leaves less for all of them but not for each
 */
export async function runInSandbox(
  sandbox: Sandbox,
  { runs, input, seed, budgetMs }: RunRequest,
  waitedMs: number,
): Promise<SandboxReply> {
  const began = Date.now();
  try {
    const reply = await sandbox.run({
      ...{ runs, input: { ...input }, seed },
      ...{ budgetMs: budgetMs - waitedMs, runMs: budgetMs * RUN_SHARE },
    });
    const { outcomes, steps, wallTime } = reply;
    if (!Number.isFinite(steps) || !Number.isFinite(wallTime)) throw new TypeError(NO_OUTCOMES);
    return {
      outcomes: runs.map(({ workflowId }, index) => readOutcome(workflowId, outcomes[index])),
      cost: {
        countedMs: BASE_COST_MS + Math.max(0, steps / STEPS_PER_MS),
        elapsedMs: BASE_COST_MS + Math.max(0, wallTime),
      },
    };
  } catch (error) {
    sandbox.markBroken();
    const reason = messageOf(error);
    const wallTime = Date.now() - began;
    const status = runs.length === 1 ? 'killed' : 'lost';
    return {
      outcomes: runs.map(({ workflowId }) => ({
        ...{ workflowId, status, reason, wallTime },
        ...{ result: null, logs: [] },
      })),
      // Its steps are unknown.
      cost: { countedMs: LIMITS.cpuMs, elapsedMs: BASE_COST_MS + wallTime },
    };
  }
}

/** The isolate executes code of strangers, so what it says is read like any input. @throws {TypeError} if it is no outcome */
function readOutcome(workflowId: string, outcome: GuestOutcome | undefined): RunOutcome {
  const { status, resultText, reason, logs, wallTime } = outcome ?? {};
  const isKnown = status !== undefined && STATUSES.includes(status);
  const isText = resultText === null || typeof resultText === 'string';
  if (!isKnown || !isText || !Array.isArray(logs) || typeof wallTime !== 'number') {
    throw new TypeError(NO_OUTCOMES);
  }
  return {
    ...{ workflowId, status, wallTime },
    result: resultText === null ? null : (JSON.parse(resultText) as unknown),
    reason: reason === null ? null : String(reason).slice(0, MAX_LOG_LENGTH),
    logs: logs.slice(0, MAX_LOGS).map(({ m, l, t }) => ({
      ...{ m: String(m).slice(0, MAX_LOG_LENGTH), t: Number(t) },
      l: l === 'warn' || l === 'error' ? l : 'log',
    })),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
