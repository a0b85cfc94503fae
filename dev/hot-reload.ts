// What `npm run dev` adds: the console from Vite with hot reload, and a Worker that follows its sources.
import { copyFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { bundleWorker } from './bundle-worker.ts';
import { recordMigrations } from './known-migrations.ts';
import type { LocalServer } from './local-server.ts';
import { stateFolder } from './state-folder.ts';
import { root } from './tools.ts';

/** Of web/vite.config.ts. */
export const hotConsolePort = 4000;

/** An editor writes a file in several steps. */
const SETTLE_MS = 200;

/** Vite proxies /api and /dev to the server. */
export async function startHotConsole(apiPort: number): Promise<void> {
  process.env.PORT = String(apiPort); // web/vite.config.ts reads it.
  const { createServer } = await import('vite');
  const own = process.listeners('SIGTERM');
  const vite = await createServer({ configFile: `${root}/web/vite.config.ts` });
  // Vite's listener would end this process before it has stopped the server.
  for (const listener of process.listeners('SIGTERM')) {
    if (!own.includes(listener)) process.off('SIGTERM', listener);
  }
  await vite.listen();
}

/** Serves the Worker anew after each change of its sources. */
export function watchWorker(server: LocalServer, bundlePath: string): void {
  let timer: NodeJS.Timeout | undefined;
  let reloading = Promise.resolve();
  const reload = async () => {
    try {
      const changed = await bundleWorker(join(root, 'wrangler.toml'));
      await recordMigrations(stateFolder); // Objects apply what is new as soon as it is served.
      copyFileSync(changed, bundlePath);
      await server.reload();
      console.log('The Worker was reloaded.');
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  };
  for (const folder of ['worker', 'durable-objects']) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reloading = reloading.then(reload);
      }, SETTLE_MS);
    });
  }
}
