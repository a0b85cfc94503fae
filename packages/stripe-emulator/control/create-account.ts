// Creates an empty account with its own keys. Each test creates one, so that tests do not interfere.
import { type Emulator, newId } from '../core/emulator.ts';
import type { Account, AccountKeys } from '../store/account-store.ts';

export interface AccountRequest {
  name?: string;
  email?: string;
  /** Whether deliveries are sent automatically; defaults to the emulator's setting. */
  sendsWebhooks?: boolean;
  /** Gives each new customer a card; default: no, as in Stripe. */
  givesCards?: boolean;
  afterRetries?: Account['afterRetries'];
  whileProcessing?: Account['whileProcessing'];
  /** Suffix of the keys; random by default. */
  mark?: string;
}

export interface AccountDescription extends AccountKeys {
  accountId: string;
  name: string;
  email: string;
  sendsWebhooks: boolean;
}

export function createAccount(emulator: Emulator, request: AccountRequest): AccountDescription {
  const mark = request.mark ?? newId('x', 8).slice(2).toLowerCase();
  const account: Account = {
    id: newId('acct', 16),
    name: request.name ?? 'Test account',
    email: request.email ?? 'owner@account.example',
    country: 'GB',
    currency: 'gbp',
    created: Math.floor(emulator.now() / 1000),
    sendsWebhooks: request.sendsWebhooks ?? emulator.sendsWebhooks,
    ...(request.givesCards ? { givesCards: true } : {}),
    ...(request.afterRetries ? { afterRetries: request.afterRetries } : {}),
    ...(request.whileProcessing ? { whileProcessing: request.whileProcessing } : {}),
  };
  emulator.accounts.create(account, mark);
  return describeAccount(emulator, account);
}

export function describeAccount(emulator: Emulator, account: Account): AccountDescription {
  const { id: accountId, name, email, sendsWebhooks } = account;
  return { accountId, name, email, sendsWebhooks, ...emulator.accounts.keysOf(accountId) };
}
