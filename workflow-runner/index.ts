/**
 * The workflow runner: executes customers' code in dynamic workers. A Worker of its own, so that code that gets around every
 * guard takes down no access check. worker/README.md, "Workflows", lists the layers.
 */
import { waitUntil } from 'cloudflare:workers';
import type {
  CheckCodeReply,
  CheckCodeRequest,
  RunOutcome,
  RunReply,
  RunRequest,
} from '#contracts/internal/workflow-run';
import { compileCode } from './code/compile-code.ts';
import { RunQueue, type Turn } from './run-queue.ts';
import { isRemembered, loadCostOf, loadSandbox, runInSandbox } from './sandbox.ts';

/** Share of a run's budget for which it may wait. */
const WAITING_SHARE = 0.4;
/** How long a run waits for code that has to be loaded, which may take longer than a budget. */
const LOAD_PATIENCE_MS = 1_500;

const queue = new RunQueue();

export interface RunnerEnv {
  readonly LOADER?: WorkerLoader;
}

export default {
  async fetch(request, { LOADER: loader }) {
    const { pathname } = new URL(request.url);
    if (loader === undefined) {
      return new Response('The workflow runner has no binding LOADER (worker_loaders)', { status: 501 });
    }
    if (pathname === '/health') return new Response('ok');
    if (request.method !== 'POST') return new Response('Not found', { status: 404 });
    if (pathname === '/run') return Response.json(await run(loader, await read<RunRequest>(request)));
    if (pathname === '/check') {
      const reply = await checkCode(loader, await read<CheckCodeRequest>(request));
      return reply === null
        ? new Response('The workflow runner is busy', { status: 503 })
        : Response.json(reply);
    }
    return new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<RunnerEnv>;

function read<Body>(request: Request): Promise<Body> {
  const enter = queue.arrive();
  const body = request.json<Body>();
  // After the microtasks in which the caller enters its order.
  waitUntil(
    body
      .then(
        () => scheduler.wait(0),
        () => undefined,
      )
      .then(enter),
  );
  return body;
}

interface Worked<Reply> {
  readonly reply: Reply;
  /** What it took of the thread, milliseconds. */
  readonly costMs: number;
}

/**
 * Works when its turn comes, also if the caller has given up meanwhile. The turn ends after the answer is on its way, and after
 * the thread has seen what arrived during the work, so that the next turn is for who has used least.
 * @returns null if no turn came
 */
async function workInTurn<Reply>(
  turn: Promise<Turn | null>,
  work: () => Promise<Worked<Reply>>,
): Promise<Reply | null> {
  const worked = turn.then((begun) => (begun === null ? null : work()));
  const end = async () => {
    const costMs = await worked.then((done) => done?.costMs ?? 0).catch(() => 0);
    await scheduler.wait(1);
    (await turn)?.end(costMs);
  };
  waitUntil(end());
  return (await worked)?.reply ?? null;
}

async function run(loader: WorkerLoader, request: RunRequest): Promise<RunReply> {
  const { orgId, sandboxId, code, runs, budgetMs } = request;
  const isWarm = isRemembered(sandboxId);
  if (!isWarm && code === undefined) return { kind: 'code-needed' };
  const beganAt = Date.now();
  const turn = queue.enter({
    orgId,
    sandboxId: isWarm ? sandboxId : null,
    patienceMs: isWarm ? budgetMs * WAITING_SHARE : LOAD_PATIENCE_MS,
  });
  const reply = await workInTurn<RunReply>(turn, async () => {
    const loadedMs = isWarm ? 0 : loadCostOf(code ?? []);
    const sandbox = await loadSandbox(loader, request);
    if (sandbox === null) return { reply: { kind: 'code-needed' }, costMs: 0 };
    const waitedMs = isWarm ? Date.now() - beganAt : 0;
    const { outcomes, cost } = await runInSandbox(sandbox, request, waitedMs);
    const costMs = loadedMs + Math.max(cost.countedMs, cost.elapsedMs);
    return { reply: { kind: 'done', outcomes, cost }, costMs };
  });
  return reply ?? { kind: 'done', outcomes: runs.map(({ workflowId }) => skipped(workflowId)) };
}

function skipped(workflowId: string): RunOutcome {
  return {
    ...{ workflowId, status: 'skipped', result: null, logs: [], wallTime: 0 },
    reason: "The organisation's workflows are using too much time, so this one did not run",
  };
}

/**
 * Whether the code may run: it parses, refers to nothing that is out of reach, starts, and exports a function.
 * @returns null if no turn came
 */
async function checkCode(
  loader: WorkerLoader,
  { orgId, compiled }: CheckCodeRequest,
): Promise<CheckCodeReply | null> {
  const code = [{ workflowId: 'checked', compiled }];
  const turn = queue.enter({ orgId, sandboxId: null, patienceMs: LOAD_PATIENCE_MS });
  return workInTurn<CheckCodeReply>(turn, async () => {
    const costMs = loadCostOf(code);
    const checked = compileCode(compiled);
    if ('problems' in checked) return { reply: checked, costMs };
    const sandbox = await loadSandbox(loader, { sandboxId: null, code });
    if (sandbox === null) throw new Error('Code that was sent is never needed again');
    const reason = await sandbox.evaluate();
    return { reply: { problems: reason === null ? [] : [{ line: null, message: reason }] }, costMs };
  });
}
