// The server that the browser tests talk to. Chosen once per run; Playwright's worker processes inherit the choice through
// environment variables.
import { findFreePort } from '../../../dev/tools/free-port.ts';

export interface ChosenServer {
  url: string;
  /** The Stripe emulator's address: the server's port plus 241, unless STRIPE_EMULATOR_PORT is set. */
  stripeUrl: string;
  /** True when this run starts and stops the server. */
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
    url: serverUrl(),
    stripeUrl: `http://127.0.0.1:${process.env.TESSERA_E2E_STRIPE_PORT}`,
    isOwn: true,
  };
}

/** The origin that `chooseServer` chose. */
export function serverUrl(): string {
  return process.env.TESSERA_URL
    ? new URL(process.env.TESSERA_URL).origin
    : `http://localhost:${process.env.TESSERA_E2E_PORT}`;
}
