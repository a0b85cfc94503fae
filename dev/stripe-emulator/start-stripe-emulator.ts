// Starts the Stripe emulator: for `npm start` with a file for what it keeps, for tests in memory.
import { once } from 'node:events';
import { type AccountDescription, type AccountRequest, createAccount } from './control/create-account.ts';
import { FaultBook } from './control/faults.ts';
import { RequestLog } from './control/request-log.ts';
import { ensureDemoAccounts } from './demo-data/acme-account.ts';
import type { BillingWebhook } from './demo-data/platform-account.ts';
import { ensurePlatformAccount } from './demo-data/platform-account.ts';
import type { Emulator } from './emulator.ts';
import { passTime } from './resources/pass-time.ts';
import { serve } from './serve.ts';
import { AccountStore } from './store/account-store.ts';
import { forgetOld } from './store/forget-old.ts';
import { ObjectStore } from './store/object-store.ts';
import { inTransaction, openDatabase } from './store/open-database.ts';
import { DeliveryStore } from './webhooks/delivery-store.ts';
import { sendDeliveries } from './webhooks/send-deliveries.ts';

export interface StripeEmulatorOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** The file that keeps everything; null, the default: memory only. */
  path?: string | null;
  /** Whether new accounts send their deliveries by themselves (the default) or keep them until somebody fetches them. */
  sendsWebhooks?: boolean;
  /** Whether Tessera's own account is there, with its prices; and where its webhook leads, if anywhere yet. */
  platform?: { webhook: BillingWebhook | null };
  /** Whether the accounts of Acme and Fennel are there, with their products and customers. */
  hasDemoAccounts?: boolean;
  /** Pauses before the second attempt of a delivery, the third, and so on. */
  retryDelaysMs?: readonly number[];
  /** Epoch milliseconds; the real clock unless given. */
  now?: () => number;
}

export interface StripeEmulator {
  /** Its origin, such as http://127.0.0.1:4242. */
  url: string;
  /** What the control API does, without HTTP. */
  control: {
    createAccount(request?: AccountRequest): AccountDescription;
  };
  stop(): Promise<void>;
}

/** @throws when the port is taken */
export async function startStripeEmulator(options: StripeEmulatorOptions = {}): Promise<StripeEmulator> {
  const { port = 0, path = null, sendsWebhooks = true, retryDelaysMs, now = Date.now } = options;
  const database = openDatabase(path);
  forgetOld(database, now());
  let origin = '';
  const emulator: Emulator = {
    database,
    accounts: new AccountStore(database),
    objects: new ObjectStore(database),
    deliveries: new DeliveryStore(database),
    faults: new FaultBook(),
    requests: new RequestLog(),
    sendsWebhooks,
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
  const passing = setInterval(() => passTime(emulator), 1000);
  passTime(emulator);
  const stopPostman = sendDeliveries(emulator, { retryDelaysMs });
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
