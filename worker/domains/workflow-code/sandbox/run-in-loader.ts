/**
 * Runs workflows in dynamic workers of the loader that it is given: one for each owner and code, without network and bindings, limited by
 * the platform. In production the loader is a binding of this Worker; `npm start` has it in a process of its own (dev/workflow-runner).
 */
import type {
  LoadableCode,
  LoadableWorkflow,
  PlannedRun,
  RunOutcome,
  RunRequest,
} from '#contracts/internal/workflow-run';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { crc32 } from '#engine/identity/crc32';
import { createGuest, type GuestReply, type GuestRequest } from './create-guest.ts';
import { STEPS_IMPORT, STEPS_MODULE } from './steps-module.ts';

const COMPATIBILITY_DATE = '2026-10-15';
/** Enforced by the platform, not locally. */
export const LIMITS = { cpuMs: 50, subRequests: 0 };
const STATUSES: readonly string[] = ['done', 'failed', 'killed'];
/** Why a dynamic worker did not start, if its code is the reason. */
const REFUSED = /\b(Syntax|Reference|Type|Range)Error: |Failed to start Worker|No such module/;
const MAX_LOGS = 50;
const MAX_LOG_LENGTH = 1000;
/** Whatever writes a deeper result as JSON could exhaust its stack. A saved test's body adds a level to its result: read-json.ts allows 32. */
const MAX_RESULT_LEVELS = 30;
/** Dynamic workers in one generation of the cache. */
const REMEMBERED = 10_000;

const GUEST_MODULE = `export const { step, run } = (${createGuest})();\n`;
/** A dynamic worker may outlive a release, and the next one may load something else. */
const RELEASE = crc32(`${GUEST_MODULE}${mainModule([])}${JSON.stringify(LIMITS)}`).toString(36);

/** The main module's entry point. */
interface GuestEntrypoint extends Rpc.WorkerEntrypointBranded {
  run(index: number, text: string): Promise<string>;
  load(): Promise<string>;
}

interface Known {
  /** Rises when the dynamic worker broke: the next run gets a new one. */
  breaks: number;
  /** It has answered, so its code is loaded. */
  isWarm: boolean;
}

const known = new BoundedCache<string, Known>(REMEMBERED);

/** Each workflow is one call. Never throws: a dynamic worker that breaks is an outcome. */
export async function runInLoader(loader: WorkerLoader, request: RunRequest): Promise<readonly RunOutcome[]> {
  const { owner, code, runs, timeoutMs } = request;
  const name = sandboxName(owner, code);
  const sandbox = known.get(name) ?? { breaks: 0, isWarm: false };
  known.set(name, sandbox);
  const { breaks } = sandbox;
  const markBroken = () => {
    sandbox.breaks = breaks + 1;
    sandbox.isWarm = false;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  const began = Date.now();
  /** With several workflows in it, an isolate that breaks has no culprit. */
  const broken = code.workflows.length === 1 ? 'killed' : 'lost';
  const runOne = async (guest: Fetcher<GuestEntrypoint>, planned: PlannedRun): Promise<RunOutcome> => {
    const { workflowId } = planned;
    const failed = (status: RunOutcome['status'], reason: string): RunOutcome => {
      const wallTime = Date.now() - began;
      return { workflowId, status, reason, result: null, logs: [], wallTime };
    };
    try {
      const index = code.workflows.findIndex((each) => each.workflowId === workflowId);
      const text = await Promise.race([guest.run(index, textOf(planned, request)), late]);
      if (text !== null) {
        sandbox.isWarm ||= sandbox.breaks === breaks;
        return readReply(workflowId, text);
      }
      if (!sandbox.isWarm) return failed('skipped', 'The code of the workflow could not be loaded in time');
      markBroken();
      return failed(broken, `The workflow did not finish within ${timeoutMs} ms`);
    } catch (error) {
      markBroken();
      return failed(broken, error instanceof Error ? error.message : String(error));
    }
  };
  try {
    const guest = loader.get(`${name}.${breaks}`, () => workerCode(code)).getEntrypoint<GuestEntrypoint>();
    return await Promise.all(runs.map((planned) => runOne(guest, planned)));
  } finally {
    clearTimeout(timer);
  }
}

const sandboxName = (owner: string, { hash }: LoadableCode) => `${owner}.${hash}.${RELEASE}`;

/** A request to load code without running any of it. */
export type LoadRequest = Pick<RunRequest, 'owner' | 'code' | 'timeoutMs'>;

/**
 * Whether V8 accepts the code, which has further limits than the language. Nothing of it is evaluated. A run of the same owner and code
 * finds it loaded.
 * @returns null, or why not, in V8's words
 * @throws {Error} if that cannot be said: the dynamic worker was ended, or does not answer in time
 */
export async function loadInLoader(
  loader: WorkerLoader,
  { owner, code, timeoutMs }: LoadRequest,
): Promise<string | null> {
  const name = sandboxName(owner, code);
  const { breaks } = known.get(name) ?? { breaks: 0 };
  const guest = loader.get(`${name}.${breaks}`, () => workerCode(code)).getEntrypoint<GuestEntrypoint>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not loaded within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([guest.load(), late]);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // V8 repeats a refused expression as a whole: the reason and the place come after it.
    if (REFUSED.test(reason)) return abbreviate(reason);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function abbreviate(text: string): string {
  return text.length <= MAX_LOG_LENGTH ? text : `${text.slice(0, 100)}…${text.slice(-100)}`;
}

function textOf({ workflowId, feature }: PlannedRun, { input, seed }: RunRequest): string {
  const request: GuestRequest = {
    workflowId,
    seed,
    input: feature === undefined ? { ...input } : { ...input, feature },
  };
  return JSON.stringify(request);
}

function workerCode({ workflows }: LoadableCode): WorkerLoaderWorkerCode {
  const modules: Record<string, string> = {
    'main.js': mainModule(workflows),
    [STEPS_MODULE.slice('./'.length)]: GUEST_MODULE,
  };
  for (const [index, { module }] of workflows.entries()) {
    modules[`w${index}.js`] = module;
    modules[`default${index}.js`] = `export { default } from './w${index}.js';\n`;
  }
  return {
    compatibilityDate: COMPATIBILITY_DATE,
    mainModule: 'main.js',
    modules,
    env: {},
    globalOutbound: null,
    limits: LIMITS,
  };
}

/**
 * Takes nothing of a workflow's module but its default: a module that exports `then` would decide when it is loaded. The prototype has
 * what the platform assigns, which a setter of Object.prototype would get otherwise.
 */
function mainModule(workflows: readonly LoadableWorkflow[]): string {
  const entries = workflows.map(
    (each, index) => `{ load: () => import('./default${index}.js'), lines: ${linesText(each)} }`,
  );
  return `import { WorkerEntrypoint } from 'cloudflare:workers';
import { run } from '${STEPS_MODULE}';
const workflows = [${entries.join(', ')}];
export default class Main extends WorkerEntrypoint {
  run(index, text) {
    const { load, lines } = workflows[index];
    return run(load, lines, text);
  }
  load() {
    return '';
  }
}
Object.assign(Main.prototype, { ctx: null, env: null });
`;
}

/** Code that does not name its source's lines is named by its own. An error can name no other line. */
function linesText({ module, lines }: LoadableWorkflow): string {
  if (lines.length > 0) return `[${lines.join()}]`;
  const own = module.replace(STEPS_IMPORT, '').split('\n').length;
  return `Array.from({ length: ${own} }, (_, index) => index + 1)`;
}

/** The isolate executes code of strangers, so what it says is read like any input. @throws {TypeError} if it is no reply */
function readReply(workflowId: string, text: string): RunOutcome {
  const { status, resultText, reason, logs, wallTime } = JSON.parse(text) as GuestReply;
  const isText = resultText === null || typeof resultText === 'string';
  if (!STATUSES.includes(status) || !isText || !Array.isArray(logs) || typeof wallTime !== 'number') {
    throw new TypeError('The dynamic worker returned something other than an outcome');
  }
  const result = resultText === null ? null : (JSON.parse(resultText) as unknown);
  const isTooDeep = isDeeperThan(MAX_RESULT_LEVELS, result);
  return {
    workflowId,
    status: isTooDeep ? 'failed' : status,
    wallTime,
    result: isTooDeep ? null : result,
    reason: isTooDeep ? `The result is nested deeper than ${MAX_RESULT_LEVELS} levels` : asReason(reason),
    logs: logs.slice(0, MAX_LOGS).map(({ m, l, t }) => ({
      m: String(m).slice(0, MAX_LOG_LENGTH),
      t: Number(t),
      l: l === 'warn' || l === 'error' ? l : 'log',
    })),
  };
}

function asReason(reason: unknown): string | null {
  return reason === null ? null : String(reason).slice(0, MAX_LOG_LENGTH);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
}
