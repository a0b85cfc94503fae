// The platform keeps a dynamic worker by its id, also across a release: the id names everything that was loaded into it.
import { expect, it } from 'vitest';
import { loadSandbox } from '#runner/sandbox';
import { sha256Hex } from '#worker/platform/hash';

interface Loaded {
  readonly id: string;
  readonly code: WorkerLoaderWorkerCode;
}

/** A loader that records what it is asked for. */
function recordingLoader() {
  const loaded: Loaded[] = [];
  const get = (id: string, codeOf: () => WorkerLoaderWorkerCode) => {
    loaded.push({ id, code: codeOf() });
    return { getEntrypoint: () => ({}) };
  };
  return { loaded, loader: { get } as unknown as WorkerLoader };
}

it("a dynamic worker's id names the guards, the instrumented code and the limits it was built with", async () => {
  const { loaded, loader } = recordingLoader();
  const request = { sandboxId: 'named', code: [{ workflowId: 'wf_0', compiled: 'export default () => []' }] };
  await Promise.all([loadSandbox(loader, request), loadSandbox(loader, request)]);
  await loadSandbox(loader, { sandboxId: 'named' });
  const [first, ...others] = loaded;
  if (first === undefined) throw new Error('Nothing was loaded');
  expect(Object.keys(first.code.modules)).toEqual(['main.js', 'w0.js']);
  expect(first.code).toMatchObject({ compatibilityDate: expect.any(String), limits: { cpuMs: 50 } });
  expect(first.id).toContain(await sha256Hex(JSON.stringify(first.code)));
  expect(others.map(({ id }) => id)).toEqual([first.id, first.id]);
});

it('a sandbox that broke is not used again', async () => {
  const { loaded, loader } = recordingLoader();
  const request = {
    sandboxId: 'broken',
    code: [{ workflowId: 'wf_0', compiled: 'export default () => []' }],
  };
  (await loadSandbox(loader, request))?.markBroken();
  await loadSandbox(loader, request);
  expect(loaded[1]?.id).not.toBe(loaded[0]?.id);
});
