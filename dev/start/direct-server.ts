// workerd on its own socket, without wrangler: for the benchmark, whose figures its proxy would distort, for the chaos run, which
// kills it, and for the workflow runner.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];

export interface DirectServerOptions {
  readonly port: number;
  /** The bundled Worker, one ES module. */
  readonly bundlePath: string;
  /** The wrangler.toml with its bindings. Bindings of other Workers are left out. */
  readonly configPath: string;
  readonly vars: NodeJS.Dict<string>;
  readonly inspectorPort?: number | undefined;
  /** Where D1, R2 and the objects keep their data; in memory if absent. */
  readonly persistTo?: string;
}

export interface DirectServer {
  readonly miniflare: Miniflare;
  /** Kills workerd and starts it again at the same port, with the module that is at `bundlePath` then. */
  restart(): Promise<void>;
}

export async function startDirect(options: DirectServerOptions): Promise<DirectServer> {
  const { port, configPath, persistTo, inspectorPort } = options;
  const { assets: _, serviceBindings: __, ...workerOptions } = await readWorkerOptions(configPath);
  const settings = () => {
    const worker = {
      ...workerOptions,
      name: 'candidate',
      bindings: { ...(workerOptions.bindings as object), ...options.vars },
      modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(options.bundlePath, 'utf8') }],
      unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    };
    const converted = convertV4MiniflareOptions({ workers: [worker], cf: false, inspectorPort } as V4Options);
    return persistTo === undefined ? converted : { ...converted, resourcePersistencePath: persistTo };
  };
  const miniflare = new Miniflare(settings());
  await miniflare.ready;
  return { miniflare, restart: () => miniflare.setOptions(settings()) };
}

/** wrangler.toml as Miniflare's options. */
async function readWorkerOptions(configPath: string): Promise<Readonly<Record<string, unknown>>> {
  const script = resolve(import.meta.dirname, 'read-worker-options.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, configPath];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}
