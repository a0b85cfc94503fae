// The parts of a running emulator, and the context of a request: one account in one mode.
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { FaultBook } from '../control/faults.ts';
import type { RequestLog } from '../control/request-log.ts';
import type { Account, AccountStore } from '../store/account-store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { DeliveryStore } from '../webhooks/delivery-store.ts';

export interface Emulator {
  readonly database: DatabaseSync;
  readonly accounts: AccountStore;
  readonly objects: ObjectStore;
  readonly deliveries: DeliveryStore;
  readonly faults: FaultBook;
  readonly requests: RequestLog;
  /** Whether new accounts send deliveries automatically. */
  readonly sendsWebhooks: boolean;
  /** Bounds of the random time that an API response takes, in milliseconds; null for none. */
  readonly latencyMs: readonly [least: number, most: number] | null;
  /** By how much the pauses between attempts of a delivery are shorter than Stripe's. */
  readonly retrySpeed: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Origin of the emulator; set once it listens. */
  readonly origin: () => string;
}

/** One account in one mode, and the cause of the current change. */
export interface Context {
  readonly emulator: Emulator;
  readonly account: Account;
  readonly livemode: boolean;
  /** Key of account and mode in the store. */
  readonly scope: string;
  /** The API request; null if the change comes from a page or the clock, as with Stripe's dashboard. */
  readonly request: { id: string; idempotency_key: string | null } | null;
  /** Unix seconds; the frozen time for changes of objects on a test clock. */
  readonly now: number;
}

export function contextOf(
  emulator: Emulator,
  account: Account,
  livemode: boolean,
  request: Context['request'] = null,
): Context {
  const now = Math.floor(emulator.now() / 1000);
  return { emulator, account, livemode, scope: scopeOf(account.id, livemode), request, now };
}

export function scopeOf(accountId: string, livemode: boolean): string {
  return `${accountId}/${livemode ? 'live' : 'test'}`;
}

export function readScope(scope: string): { accountId: string; livemode: boolean } {
  const [accountId = '', mode] = scope.split('/');
  return { accountId, livemode: mode === 'live' };
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `cus_` and 14 letters and digits: the shape of Stripe's ids. */
export function newId(prefix: string, length = 14): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 below 256, so all characters are equally likely.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return `${prefix}_${text}`;
}
