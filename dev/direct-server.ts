// workerd on its own socket, without wrangler's proxy: for the benchmark, whose figures the proxy would distort, and for
// the chaos run, which kills it.
import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];

export interface DirectServerOptions {
  readonly port: number;
  /** The bundled Worker, one ES module. */
  readonly bundlePath: string;
  /** The wrangler.toml with its bindings. Static assets are left out. */
  readonly configPath: string;
  readonly vars: NodeJS.Dict<string>;
  readonly inspectorPort?: number | undefined;
  /** Where D1, R2 and the objects keep their data; in memory if absent. */
  readonly persistTo?: string;
}

export async function startDirect(options: DirectServerOptions): Promise<Miniflare> {
  const { port, bundlePath, configPath, vars, inspectorPort, persistTo } = options;
  const { assets: _, ...workerOptions } = unstable_getMiniflareWorkerOptions(configPath).workerOptions;
  const worker = {
    ...workerOptions,
    name: 'candidate',
    bindings: { ...(workerOptions.bindings as object), ...vars },
    modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(bundlePath, 'utf8') }],
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  };
  const converted = convertV4MiniflareOptions({
    workers: [worker],
    cf: false,
    inspectorPort,
  } as unknown as V4Options);
  const miniflare = new Miniflare(
    persistTo === undefined ? converted : { ...converted, resourcePersistencePath: persistTo },
  );
  await miniflare.ready;
  return miniflare;
}
