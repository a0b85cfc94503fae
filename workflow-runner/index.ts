/**
 * The workflow runner: executes customers' code in dynamic workers. A Worker of its own, so that code that gets around every
 * guard takes down no access check. worker/README.md, "Workflows", lists the layers.
 */
import type {
  CheckCodeReply,
  CheckCodeRequest,
  RunReply,
  RunRequest,
} from '#contracts/internal/workflow-run';
import { compileCode } from './code/compile-code.ts';
import { loadSandbox, runInSandbox } from './sandbox.ts';

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
    if (pathname === '/run') return Response.json(await run(loader, await request.json<RunRequest>()));
    if (pathname === '/check') {
      return Response.json(await checkCode(loader, await request.json<CheckCodeRequest>()));
    }
    return new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<RunnerEnv>;

async function run(loader: WorkerLoader, request: RunRequest): Promise<RunReply> {
  const sandbox = loadSandbox(loader, request);
  return sandbox === null
    ? { kind: 'code-needed' }
    : { kind: 'done', outcomes: await runInSandbox(sandbox, request) };
}

/** Whether the code may run: it parses, refers to nothing that is out of reach, starts, and exports a function. */
async function checkCode(loader: WorkerLoader, { compiled }: CheckCodeRequest): Promise<CheckCodeReply> {
  const checked = compileCode(compiled);
  if ('problems' in checked) return checked;
  const sandbox = loadSandbox(loader, { sandboxId: null, code: [{ workflowId: 'checked', compiled }] });
  if (sandbox === null) throw new Error('Code that was sent is never needed again');
  const reason = await sandbox.evaluate();
  return { problems: reason === null ? [] : [{ line: null, message: reason }] };
}
