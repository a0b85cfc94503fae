// Which server the browser tests talk to: chosen once per run, and known to Playwright's worker processes through the
// environment, which they inherit.
import { findFreePort } from '../../../dev/free-port.ts';

export interface ChosenServer {
  url: string;
  /** The Stripe emulator beside it: 241 ports further, unless STRIPE_EMULATOR_PORT says otherwise. */
  stripeUrl: string;
  /** True when this run starts it, and ends it. */
  isOwn: boolean;
}

export async function chooseServer(): Promise<ChosenServer> {
  if (process.env.TESSERA_URL) {
    const port = process.env.STRIPE_EMULATOR_PORT ?? Number(new URL(process.env.TESSERA_URL).port) + 241;
    return { url: process.env.TESSERA_URL, stripeUrl: `http://127.0.0.1:${port}`, isOwn: false };
  }
  process.env.TESSERA_E2E_PORT ??= String(await findFreePort());
  process.env.TESSERA_E2E_STRIPE_PORT ??= String(await findFreePort());
  return {
    url: `http://localhost:${process.env.TESSERA_E2E_PORT}`,
    stripeUrl: `http://127.0.0.1:${process.env.TESSERA_E2E_STRIPE_PORT}`,
    isOwn: true,
  };
}
