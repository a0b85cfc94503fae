// Starts the Stripe emulator: with a database file for `npm start`, in memory for tests.
import { once } from 'node:events';
import { type AccountDescription, type AccountRequest, createAccount } from './control/create-account.ts';
import { FaultBook } from './control/faults.ts';
import { RequestLog } from './control/request-log.ts';
import type { Emulator } from './core/emulator.ts';
import { ensureDemoAccounts } from './demo-data/acme-account.ts';
import { moveWebhooks } from './demo-data/move-webhooks.ts';
import type { BillingWebhook } from './demo-data/platform-account.ts';
import { ensurePlatformAccount } from './demo-data/platform-account.ts';
import { processDue } from './resources/process-due.ts';
import { serve } from './serve.ts';
import { AccountStore } from './store/account-store.ts';
import { deleteExpired } from './store/delete-expired.ts';
import { ObjectStore } from './store/object-store.ts';
import { inTransaction, openDatabase } from './store/open-database.ts';
import { DeliveryStore } from './webhooks/delivery-store.ts';
import { sendDeliveries } from './webhooks/send-deliveries.ts';

export interface StripeEmulatorOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Database file; default null: memory only. */
  path?: string | null;
  /** Whether new accounts send deliveries automatically (default), or keep them for the control API. */
  sendsWebhooks?: boolean;
  /** Creates Tessera's own account with its prices, and its webhook endpoint if given, whose origin connected accounts send to. */
  platform?: { webhook: BillingWebhook | null };
  /** Creates the accounts of Acme and Fennel with products and customers. */
  hasDemoAccounts?: boolean;
  /** By how much the pauses between attempts of a delivery are shorter than Stripe's; default 1: up to three days in all. */
  retrySpeed?: number;
  /** Bounds of the random time that an API response takes, in milliseconds; default null: none. */
  latencyMs?: readonly [least: number, most: number] | null;
  /** Epoch milliseconds; default: the real clock. */
  now?: () => number;
}

export interface StripeEmulator {
  /** Origin, such as http://127.0.0.1:4242. */
  url: string;
  /** The control API without HTTP. */
  control: {
    createAccount(request?: AccountRequest): AccountDescription;
  };
  stop(): Promise<void>;
}

const processEveryMs = 250;

/** @throws if the port is in use */
export async function startStripeEmulator(options: StripeEmulatorOptions = {}): Promise<StripeEmulator> {
  const {
    port = 0,
    path = null,
    sendsWebhooks = true,
    retrySpeed = 1,
    latencyMs = null,
    now = Date.now,
  } = options;
  const database = openDatabase(path);
  deleteExpired(database, now());
  let origin = '';
  const emulator: Emulator = {
    database,
    accounts: new AccountStore(database),
    objects: new ObjectStore(database),
    deliveries: new DeliveryStore(database),
    faults: new FaultBook(),
    requests: new RequestLog(),
    sendsWebhooks,
    latencyMs,
    retrySpeed,
    now,
    origin: () => origin,
  };
  const server = serve(emulator);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`;
  const { platform, hasDemoAccounts } = options;
  if (platform) inTransaction(database, () => ensurePlatformAccount(emulator, platform.webhook));
  if (hasDemoAccounts) inTransaction(database, () => ensureDemoAccounts(emulator));
  const tessera = platform?.webhook?.url;
  if (tessera) inTransaction(database, () => moveWebhooks(emulator, new URL(tessera).origin));
  const passing = setInterval(() => processDue(emulator), processEveryMs);
  processDue(emulator);
  const stopPostman = sendDeliveries(emulator);
  return {
    url: origin,
    control: {
      createAccount: (request = {}) => inTransaction(database, () => createAccount(emulator, request)),
    },
    async stop() {
      clearInterval(passing);
      server.closeAllConnections();
      server.close();
      await stopPostman();
      database.close();
    },
  };
}
