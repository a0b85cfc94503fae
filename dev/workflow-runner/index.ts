/** The Worker in the local process that runs workflows: the product's own module, with this process's loader, behind a few lines of HTTP. */
import type { LoadableCode, RunRequest } from '#contracts/internal/workflow-run';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { runInLoader } from '#worker/domains/workflows/sandbox/run-in-loader';

/** Characters of code in one generation of the cache. */
const REMEMBERED_CODE = 16 * 1024 * 1024;

/** So that a warm run sends no code. */
const codes = new BoundedCache<string, { readonly code: LoadableCode; readonly size: number }>(
  REMEMBERED_CODE,
  (_, { size }) => size,
);

type NamedRequest = Omit<RunRequest, 'code'> & { readonly name: string; readonly code?: LoadableCode };

export default {
  async fetch(request, { LOADER }) {
    if (new URL(request.url).pathname === '/health') return new Response('ok');
    const text = await request.text();
    const { name, code: sent, ...rest } = JSON.parse(text) as NamedRequest;
    if (sent !== undefined) codes.set(name, { code: sent, size: text.length });
    const code = codes.get(name)?.code;
    if (code === undefined) return new Response('The code is needed', { status: 409 });
    return Response.json(await runInLoader(LOADER, { ...rest, code }));
  },
} satisfies ExportedHandler<{ readonly LOADER: WorkerLoader }>;
