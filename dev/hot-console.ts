// The console from Vite with hot reload, for work on it; it passes /api and /dev on to the local server.
import { createServer } from 'vite';
import { root } from './tools.ts';

/** Answers the address to open. */
export async function startHotConsole(apiPort: number): Promise<string> {
  process.env.PORT = String(apiPort); // web/vite.config.ts reads it.
  const vite = await createServer({ configFile: `${root}/web/vite.config.ts` });
  await vite.listen();
  return `http://localhost:${vite.config.server.port}`;
}
