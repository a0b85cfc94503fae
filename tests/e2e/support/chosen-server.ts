// Which server the browser tests talk to: chosen once per run, and known to Playwright's worker processes through the
// environment, which they inherit.
import { createServer } from 'node:net';

export interface ChosenServer {
  url: string;
  /** True when this run starts it, and ends it. */
  isOwn: boolean;
}

export async function chooseServer(): Promise<ChosenServer> {
  if (process.env.TESSERA_URL) return { url: process.env.TESSERA_URL, isOwn: false };
  process.env.TESSERA_E2E_PORT ??= String(await findFreePort());
  return { url: `http://localhost:${process.env.TESSERA_E2E_PORT}`, isOwn: true };
}

async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}
