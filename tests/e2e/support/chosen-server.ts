// Which server the browser tests talk to: chosen once per run, and known to Playwright's worker processes through the
// environment, which they inherit.
import { findFreePort } from '../../../dev/free-port.ts';

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
