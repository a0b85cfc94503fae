// What `npm run dev` adds: the console from Vite with hot reload.
import { root } from '../tools/run-tool.ts';

/** Of web/vite.config.ts. */
export const hotConsolePort = 4000;

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
