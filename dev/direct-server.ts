// workerd on its own socket, without wrangler's proxy: for the benchmark, whose figures the proxy would distort, and for
// the chaos run, which kills it, and for the workflow runner.
import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];

export interface DirectServerOptions {
  readonly port: number;
  /** The bundled Worker, one ES module. */
  readonly bundlePath: string;
  /** The wrangler.toml with its bindings. Static assets and bindings of other Workers are left out. */
  readonly configPath: string;
  readonly vars: NodeJS.Dict<string>;
  readonly inspectorPort?: number | undefined;
  /** Where D1, R2 and the objects keep their data; in memory if absent. */
  readonly persistTo?: string;
}

export interface DirectServer {
  readonly miniflare: Miniflare;
  /** Kills workerd and starts it again at the same port. */
  restart(): Promise<void>;
}

export async function startDirect(options: DirectServerOptions): Promise<DirectServer> {
  const { port, bundlePath, configPath, vars, inspectorPort, persistTo } = options;
  const {
    assets: _,
    serviceBindings: __,
    ...workerOptions
  } = unstable_getMiniflareWorkerOptions(configPath).workerOptions;
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
  const settings = persistTo === undefined ? converted : { ...converted, resourcePersistencePath: persistTo };
  const miniflare = new Miniflare(settings);
  await miniflare.ready;
  return { miniflare, restart: () => miniflare.setOptions(settings) };
}
