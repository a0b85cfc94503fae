// Accounts and their API keys. Test and live mode data of an account are separate.
import type { DatabaseSync } from 'node:sqlite';

export interface Account {
  id: string;
  name: string;
  email: string;
  country: string;
  /** Lower-case ISO 4217. */
  currency: string;
  /** Unix seconds. */
  created: number;
  /** False: deliveries wait for the control API. */
  sendsWebhooks: boolean;
  /** New customers have a card, so that tests can subscribe them in one call. Stripe's customers have none. */
  givesCards?: boolean;
  /** What becomes of a subscription whose payment failed for the last time; default `cancel`, as in Stripe. */
  afterRetries?: 'cancel' | 'unpaid' | 'past_due';
  /** A subscription whose first payment waits for a bank; default `active`. Stripe documents `incomplete` as well. */
  whileProcessing?: 'active' | 'incomplete';
}

export interface ApiKey {
  key: string;
  accountId: string;
  livemode: boolean;
  /** Permissions of a restricted key, such as `rak_customer_read`; null for all. */
  permissions: ReadonlySet<string> | null;
  isExpired: boolean;
}

/** The keys of one account. */
export interface AccountKeys {
  secretKey: string;
  liveSecretKey: string;
  /** Restricted to what an entitlement service needs. */
  restrictedKey: string;
  liveRestrictedKey: string;
  /** The same, without creating webhook endpoints. */
  readOnlyKey: string;
  liveReadOnlyKey: string;
  /** Expired. */
  expiredKey: string;
}

const readPermissions = [
  'rak_accounts_kyc_basic_read',
  'rak_customer_read',
  'rak_product_read',
  'rak_plan_read',
  'rak_subscription_read',
  'rak_invoice_read',
  'rak_charge_read',
  'rak_payment_intent_read',
  'rak_dispute_read',
  'rak_checkout_session_read',
  'rak_coupon_read',
  'rak_event_read',
  'rak_webhook_read',
];

const neededPermissions = [...readPermissions, 'rak_webhook_write'];

/** The permission that includes the one to read. */
const writing = (permission: string) => permission.replace(/_read$/, '_write');

export function isAllowed({ permissions }: ApiKey, permission: string): boolean {
  return permissions === null || permissions.has(permission) || permissions.has(writing(permission));
}

export class AccountStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * @param mark suffix of the account's keys: `sk_test_emulator_<mark>`. Keys are made of short words, so that neither
   *   people nor secret scanners mistake one for a real key.
   */
  create(account: Account, mark: string): AccountKeys {
    this.#database.prepare('INSERT INTO accounts VALUES (?, ?)').run(account.id, JSON.stringify(account));
    const keys = keysOf(mark);
    const insert = this.#database.prepare('INSERT INTO api_keys VALUES (?, ?, ?, ?, ?)');
    const add = (key: string, livemode: boolean, permissions: string[] | null, expiredAt: number | null) =>
      insert.run(key, account.id, Number(livemode), permissions && JSON.stringify(permissions), expiredAt);
    add(keys.secretKey, false, null, null);
    add(keys.liveSecretKey, true, null, null);
    add(keys.restrictedKey, false, neededPermissions, null);
    add(keys.liveRestrictedKey, true, neededPermissions, null);
    add(keys.readOnlyKey, false, readPermissions, null);
    add(keys.liveReadOnlyKey, true, readPermissions, null);
    add(keys.expiredKey, false, null, account.created);
    return keys;
  }

  update(account: Account): void {
    this.#database
      .prepare('UPDATE accounts SET record = ? WHERE id = ?')
      .run(JSON.stringify(account), account.id);
  }

  find(id: string): Account | undefined {
    const row = this.#database.prepare('SELECT record FROM accounts WHERE id = ?').get(id);
    return row === undefined ? undefined : (JSON.parse((row as { record: string }).record) as Account);
  }

  /** In order of creation. */
  list(): Account[] {
    const rows = this.#database.prepare('SELECT record FROM accounts ORDER BY rowid').all();
    return (rows as { record: string }[]).map(({ record }) => JSON.parse(record) as Account);
  }

  findKey(key: string): ApiKey | undefined {
    const row = this.#database.prepare('SELECT * FROM api_keys WHERE key = ?').get(key) as
      | {
          key: string;
          account_id: string;
          livemode: number;
          permissions: string | null;
          expired_at: number | null;
        }
      | undefined;
    if (row === undefined) return undefined;
    return {
      key: row.key,
      accountId: row.account_id,
      livemode: row.livemode === 1,
      permissions: row.permissions === null ? null : new Set(JSON.parse(row.permissions) as string[]),
      isExpired: row.expired_at !== null,
    };
  }

  /** Revokes or restores a key of the account. */
  expireKey(key: string, expiredAt: number | null): void {
    this.#database.prepare('UPDATE api_keys SET expired_at = ? WHERE key = ?').run(expiredAt, key);
  }

  /** Whoever may not read may not write either. */
  forbid(key: string, permission: string): void {
    const including = writing(permission);
    const permissions = [...(this.findKey(key)?.permissions ?? [])].filter(
      (each) => each !== permission && each !== including,
    );
    this.#database
      .prepare('UPDATE api_keys SET permissions = ? WHERE key = ?')
      .run(JSON.stringify(permissions), key);
  }

  keysOf(accountId: string): AccountKeys {
    const row = this.#database
      .prepare("SELECT key FROM api_keys WHERE account_id = ? AND key LIKE 'sk\\_test\\_%' ESCAPE '\\'")
      .all(accountId)
      .map(({ key }) => String(key))
      .find((key) => !key.endsWith('_old'));
    return keysOf((row ?? '').replace('sk_test_emulator_', ''));
  }
}

function keysOf(mark: string): AccountKeys {
  return {
    secretKey: `sk_test_emulator_${mark}`,
    liveSecretKey: `sk_live_emulator_${mark}`,
    restrictedKey: `rk_test_emulator_${mark}`,
    liveRestrictedKey: `rk_live_emulator_${mark}`,
    readOnlyKey: `rk_test_emulator_${mark}_reads`,
    liveReadOnlyKey: `rk_live_emulator_${mark}_reads`,
    expiredKey: `sk_test_emulator_${mark}_old`,
  };
}
