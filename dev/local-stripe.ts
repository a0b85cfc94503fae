// Starts the Stripe emulator for local work, with its data in the state folder. It is not started if the settings name
// another Stripe (STRIPE_SECRET_KEY or STRIPE_API_BASE).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { findFreePort } from './free-port.ts';
import { isFree } from './local-server.ts';
import { acmeKeySuffix, fennelKeySuffix } from './stripe-emulator/demo-data/acme-account.ts';
import { startStripeEmulator } from './stripe-emulator/start-stripe-emulator.ts';
import { root } from './tools.ts';

export interface LocalStripe {
  /** Settings for the Worker. */
  vars: Readonly<Record<string, string>>;
  /** URL of the control page, which triggers events. */
  controlPage: string;
  /** The demo organisation's restricted test key, with the permissions an integration needs. */
  demoKey: string;
  /** Key of a second company's account, to connect manually. */
  spareKey: string;
  stop(): Promise<void>;
}

export interface LocalStripeOptions {
  /** Tessera's port. The emulator's default is 241 above it (4242); STRIPE_EMULATOR_PORT overrides it. */
  tesseraPort: number;
  stateFolder: string;
  /** Settings of this run; override .dev.vars. */
  vars: Readonly<Record<string, string | undefined>>;
}

/** @returns null if the settings name another Stripe */
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
    latencyMs: readLatency(),
    retrySpeed: Number(process.env.STRIPE_EMULATOR_RETRY_SPEED) || RETRY_SPEED,
  });
  return {
    vars: { STRIPE_API_BASE: emulator.url },
    controlPage: emulator.url,
    demoKey: `rk_test_emulator_${acmeKeySuffix}`,
    spareKey: `sk_test_emulator_${fennelKeySuffix}`,
    stop: emulator.stop,
  };
}

const STRIPE_LATENCY_MS = [150, 400] as const;

/** A first retry after 5 s instead of 5 minutes. */
const RETRY_SPEED = 60;

/** As slow as Stripe; STRIPE_EMULATOR_LATENCY=off switches it off. */
function readLatency(): readonly [number, number] | null {
  return process.env.STRIPE_EMULATOR_LATENCY === 'off' ? null : STRIPE_LATENCY_MS;
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
