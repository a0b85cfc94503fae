// workerd on its own socket, without wrangler: for the benchmark, whose figures its proxy would distort, for the chaos run, which
// kills it, for the workflow runner, and for `npm start`, because wrangler takes as much memory as all else.
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
  /** As `wrangler dev` serves it: with the console's files, `request.cf`, the trigger of the schedule, and its data's names. */
  readonly isWhole?: boolean;
  /** What the Worker and the runtime log, instead of on the console. */
  readonly onLog?: (level: string, message: string) => void;
}

export interface DirectServer {
  readonly miniflare: Miniflare;
  /** Kills workerd and starts it again at the same port, with the module that is at `bundlePath` then. */
  restart(): Promise<void>;
}

export async function startDirect(options: DirectServerOptions): Promise<DirectServer> {
  const { port, configPath, persistTo, onLog } = options;
  const { assets, serviceBindings: _, name, ...workerOptions } = await readWorkerOptions(configPath);
  const settings = () => {
    const worker = {
      ...workerOptions,
      bindings: { ...(workerOptions.bindings as object), ...options.vars },
      modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(options.bundlePath, 'utf8') }],
      ...(options.isWhole
        ? { name, assets }
        : { name: 'candidate', unsafeDirectSockets: [{ host: '127.0.0.1', port }] }),
    };
    const converted = convertV4MiniflareOptions({
      ...(options.isWhole
        ? { host: '127.0.0.1', port, unsafeTriggerHandlers: true, logRequests: false }
        : {}),
      ...(onLog ? { handleStructuredLogs: ({ level, message }) => onLog(level, message) } : {}),
      workers: [worker],
      cf: false,
      inspectorPort: options.inspectorPort,
    } as V4Options);
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
