// Stripe for local work: the emulator on a port of its own, with its data beside the rest of what is kept. Settings of
// one's own (a Stripe test key, another STRIPE_API_BASE) go before it: then it is not started.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { findFreePort } from './free-port.ts';
import { isFree } from './local-server.ts';
import { acmeMark, fennelMark } from './stripe-emulator/demo-data/acme-account.ts';
import { startStripeEmulator } from './stripe-emulator/start-stripe-emulator.ts';
import { root } from './tools.ts';

export interface LocalStripe {
  /** Settings of the Worker. */
  vars: Readonly<Record<string, string>>;
  /** Where a person makes events happen. */
  controlPage: string;
  /** The demo organisation's key for test mode, restricted to what an integration needs. */
  demoKey: string;
  /** Of another company's account, for a person to connect. */
  spareKey: string;
  stop(): Promise<void>;
}

export interface LocalStripeOptions {
  /** Of Tessera; the emulator's is 241 more, 4242 as a rule, unless STRIPE_EMULATOR_PORT says otherwise. */
  tesseraPort: number;
  stateFolder: string;
  /** Settings of this run, which go before those of .dev.vars. */
  vars: Readonly<Record<string, string | undefined>>;
}

/** Null when the settings name another Stripe. */
export async function startLocalStripe(options: LocalStripeOptions): Promise<LocalStripe | null> {
  const own = { ...readVars('.dev.vars'), ...options.vars };
  if (own.STRIPE_API_BASE || own.STRIPE_SECRET_KEY) return null;
  const secret = own.STRIPE_WEBHOOK_SECRET ?? readVars('dev/development.vars').STRIPE_WEBHOOK_SECRET;
  const url = `http://localhost:${options.tesseraPort}/api/webhooks/stripe-billing`;
  const emulator = await startStripeEmulator({
    port: await choosePort(options.tesseraPort),
    path: join(options.stateFolder, 'stripe-emulator', 'emulator.sqlite'),
    platform: { webhook: secret ? { url, secret } : null },
    hasDemoAccounts: true,
  });
  return {
    vars: { STRIPE_API_BASE: emulator.url },
    controlPage: emulator.url,
    demoKey: `rk_test_emulator_${acmeMark}`,
    spareKey: `sk_test_emulator_${fennelMark}`,
    stop: emulator.stop,
  };
}

/** Ports above 1023 that browsers and fetch refuse to open (Fetch Standard, 'bad port'). */
const REFUSED_BY_BROWSERS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

async function choosePort(tesseraPort: number): Promise<number> {
  if (process.env.STRIPE_EMULATOR_PORT) return Number(process.env.STRIPE_EMULATOR_PORT);
  const preferred = tesseraPort + 241;
  const isUsable = preferred < 65_536 && !REFUSED_BY_BROWSERS.has(preferred);
  return isUsable && (await isFree(preferred)) ? preferred : findFreePort();
}

function readVars(path: string): NodeJS.Dict<string> {
  const file = join(root, path);
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}
