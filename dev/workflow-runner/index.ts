/** The Worker in the local process that runs workflows: the product's own modules, with this process's loader, behind a few lines of HTTP. */
import type { LoadableCode, RunRequest } from '#contracts/internal/workflow-run';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { type ReadRequest, readInLoader } from '#worker/domains/workflow-code/sandbox/read-in-loader';
import {
  type LoadRequest,
  loadInLoader,
  runInLoader,
} from '#worker/domains/workflow-code/sandbox/run-in-loader';

/** Characters of code in one generation of the cache. */
const REMEMBERED_CODE = 16 * 1024 * 1024;

/** So that a warm run sends no code. */
const codes = new BoundedCache<string, { readonly code: LoadableCode; readonly size: number }>(
  REMEMBERED_CODE,
  (_, { size }) => size,
);

type NamedRequest = Omit<RunRequest, 'code'> & { readonly name: string; readonly code?: LoadableCode };

export default {
  async fetch(request, { LOADER, WORKFLOW_RUNNER_SECRET }) {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return new Response('ok');
    if (request.headers.get('authorization') !== `Bearer ${WORKFLOW_RUNNER_SECRET}`) {
      return new Response('Only the local server may have code run here', { status: 401 });
    }
    const text = await request.text();
    switch (pathname) {
      case '/read':
        return new Response(await readInLoader(LOADER, JSON.parse(text) as ReadRequest));
      case '/load':
        return Response.json(await loadInLoader(LOADER, JSON.parse(text) as LoadRequest));
      default:
        return run(LOADER, text);
    }
  },
} satisfies ExportedHandler<{ readonly LOADER: WorkerLoader; readonly WORKFLOW_RUNNER_SECRET: string }>;

async function run(loader: WorkerLoader, text: string): Promise<Response> {
  const { name, code: sent, ...rest } = JSON.parse(text) as NamedRequest;
  if (sent !== undefined) codes.set(name, { code: sent, size: text.length });
  const code = codes.get(name)?.code;
  if (code === undefined) return new Response('The code is needed', { status: 409 });
  return Response.json(await runInLoader(loader, { ...rest, code }));
}
