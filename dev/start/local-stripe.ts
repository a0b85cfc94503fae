// Starts the Stripe emulator for local work, with its data in the state folder. It is not started if the settings name
// another Stripe (STRIPE_SECRET_KEY or STRIPE_API_BASE).
import { join } from 'node:path';
import { acmeKeySuffix, fennelKeySuffix } from '@tessera/stripe-emulator/demo-data/acme-account';
import { startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import { findFreePort } from '../tools/free-port.ts';
import { StartError } from '../tools/start-error.ts';
import type { LocalSettings } from './local-settings.ts';
import { isFree, isOpenable, readPort, reservePort } from './ports.ts';

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
  /** Tessera's address on this machine. The emulator's default port is 241 above its port (4242); STRIPE_EMULATOR_PORT overrides it. */
  tesseraUrl: string;
  stateFolder: string;
  settings: LocalSettings;
}

export interface EmulatorOptions {
  /** Null: chosen when it starts. */
  readonly port: number | null;
  readonly latencyMs: readonly [number, number] | null;
  readonly retrySpeed: number;
}

/**
 * Reads STRIPE_EMULATOR_PORT, STRIPE_EMULATOR_LATENCY and STRIPE_EMULATOR_RETRY_SPEED, before anything starts.
 *
 * @param ownPorts those that Tessera itself will listen on
 * @returns null if the settings name another Stripe
 * @throws {StartError}
 */
export async function readEmulatorOptions(
  { own }: LocalSettings,
  ownPorts: readonly number[],
): Promise<EmulatorOptions | null> {
  if (own.STRIPE_API_BASE || own.STRIPE_SECRET_KEY) return null;
  const port = readPort('STRIPE_EMULATOR_PORT', process.env.STRIPE_EMULATOR_PORT);
  if (port !== null && ownPorts.includes(port))
    throw new StartError(`Tessera itself uses port ${port}. Choose another for STRIPE_EMULATOR_PORT`);
  if (port !== null) await (await reservePort('STRIPE_EMULATOR_PORT', port)).release();
  const speed = process.env.STRIPE_EMULATOR_RETRY_SPEED;
  const retrySpeed = speed ? Number(speed) : RETRY_SPEED;
  if (!(retrySpeed > 0))
    throw new StartError(`STRIPE_EMULATOR_RETRY_SPEED must be a number above 0, not "${speed}"`);
  const latency = process.env.STRIPE_EMULATOR_LATENCY || 'on';
  // As slow as Stripe, unless switched off.
  const latencyMs = { on: STRIPE_LATENCY_MS, off: null }[latency];
  if (latencyMs === undefined)
    throw new StartError(`STRIPE_EMULATOR_LATENCY must be on or off, not "${latency}"`);
  return { port, latencyMs, retrySpeed };
}

export async function startLocalStripe(
  { port, ...pace }: EmulatorOptions,
  { tesseraUrl, stateFolder, settings }: LocalStripeOptions,
): Promise<LocalStripe> {
  const secret = settings.all.STRIPE_WEBHOOK_SECRET;
  const url = `${tesseraUrl}/api/webhooks/stripe-billing`;
  const emulator = await startStripeEmulator({
    ...pace,
    port: port ?? (await choosePort(Number(new URL(tesseraUrl).port))),
    path: join(stateFolder, 'stripe-emulator', 'emulator.sqlite'),
    platform: { webhook: secret ? { url, secret } : null },
    hasDemoAccounts: true,
  });
  const spareKey = `sk_test_emulator_${fennelKeySuffix}`;
  return {
    vars: { STRIPE_API_BASE: emulator.url, STRIPE_EMULATOR_KEY: spareKey },
    controlPage: emulator.url,
    demoKey: `rk_test_emulator_${acmeKeySuffix}`,
    spareKey,
    stop: emulator.stop,
  };
}

const STRIPE_LATENCY_MS = [150, 400] as const;

/** A first retry after 5 s instead of 5 minutes. */
const RETRY_SPEED = 60;

async function choosePort(tesseraPort: number): Promise<number> {
  const preferred = tesseraPort + 241;
  return isOpenable(preferred) && (await isFree(preferred)) ? preferred : findFreePort();
}
