// A server of one of the composed Workers, on data of its own with today's schema.
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type DirectServer, startDirect } from '../start/direct-server.ts';
import { findFreePort } from '../tools/free-port.ts';
import { root } from '../tools/run-tool.ts';

export interface SkewServer {
  readonly url: string;
  /** On the same data. */
  restartWith(bundlePath: string): Promise<void>;
  stop(): Promise<void>;
}

export interface SkewServerOptions {
  readonly bundlePath: string;
  readonly configPath?: string;
  /** A folder with a migrated database, which is copied. */
  readonly stateFolder: string;
  /** Where the data lies. */
  readonly folder: string;
  readonly stripeUrl: string;
}

export async function startSkewServer(options: SkewServerOptions): Promise<SkewServer> {
  const { stateFolder, folder, stripeUrl, configPath = join(root, 'wrangler.toml') } = options;
  const state = mkdtempSync(join(folder, 'state-'));
  cpSync(stateFolder, state, { recursive: true });
  const bundlePath = join(state, 'worker.js');
  cpSync(options.bundlePath, bundlePath);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const vars = {
    ...parseEnv(readFileSync(join(root, 'dev/development.vars'), 'utf8')),
    ...{ BASE_URL: url, STRIPE_API_BASE: stripeUrl },
  };
  const server: DirectServer = await startDirect({
    port,
    bundlePath,
    configPath,
    vars,
    persistTo: join(state, 'v3'),
  });
  return {
    url,
    async restartWith(path) {
      cpSync(path, bundlePath);
      await server.restart();
    },
    stop: () => server.miniflare.dispose(),
  };
}
