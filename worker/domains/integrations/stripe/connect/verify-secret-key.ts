/**
 * Verifies a secret key by calling Stripe: its account, mode and permissions. Runs before anything is stored. A
 * rejected key fails validation of its field, with the reason in the message.
 */
import { ApiError } from '#worker/http/api-error';
import type { StripeClient } from '#worker/platform/stripe';
import { describeFailure, getStripeFailure, type StripeFailure } from '../integration/stripe-failure.ts';

export interface StripeAccount {
  /** acct_… */
  readonly id: string;
  /** Null: the account has no name, or the key may not read it. */
  readonly name: string | null;
}

const KEY = /^(sk|rk)_(test|live)_\w+$/;

/** @throws {ApiError} invalid-request naming secretKey */
export function readKeyMode(secretKey: string): { readonly livemode: boolean } {
  const [, , mode] = KEY.exec(secretKey) ?? [];
  if (mode !== undefined) return { livemode: mode === 'live' };
  throw invalidKey(
    secretKey.startsWith('pk_')
      ? 'This is a publishable key. Paste the secret key (sk_…) or a restricted one (rk_…).'
      : 'A secret key begins with sk_test_, sk_live_, rk_test_ or rk_live_.',
  );
}

/** The key's prefix and last four characters. */
export function maskSecretKey(secretKey: string): string {
  const [kind = ''] = /^(?:sk|rk)_(?:test|live)_/.exec(secretKey) ?? [];
  return `${kind}…${secretKey.slice(-4)}`;
}

/** @throws {ApiError} invalid-request naming secretKey; unavailable if Stripe cannot be reached */
export async function verifySecretKey(stripe: StripeClient, livemode: boolean): Promise<StripeAccount> {
  const one = { limit: 1 };
  const [account, ...lists] = await Promise.allSettled([
    stripe.accounts.retrieveCurrent(),
    stripe.customers.list(one),
    stripe.products.list(one),
    stripe.subscriptions.list(one),
  ]);
  const needed = ['customers', 'products', 'subscriptions'];
  const lacking: string[] = [];
  for (const [index, list] of lists.entries()) {
    if (list.status === 'fulfilled') {
      if (list.value.data.some((object) => object.livemode !== livemode)) {
        throw invalidKey('The key’s mode does not match its prefix.');
      }
      continue;
    }
    if (getStripeFailure(list.reason).kind !== 'not-allowed') throw asApiError(list.reason);
    lacking.push(needed[index] ?? '');
  }
  if (account.status === 'rejected' && getStripeFailure(account.reason).kind !== 'not-allowed') {
    throw asApiError(account.reason);
  }
  if (lacking.length > 0) {
    throw invalidKey(
      `This restricted key cannot read ${lacking.join(', ')}. Add the permission in Stripe and try again.`,
    );
  }
  return account.status === 'fulfilled'
    ? { id: account.value.id, name: displayName(account.value) }
    : accountNamedBy(getStripeFailure(account.reason));
}

/** Stripe's permission error names the account of a key that may not read it. */
function accountNamedBy(failure: StripeFailure): StripeAccount {
  const id = failure.kind === 'not-allowed' ? failure.accountId : null;
  if (id !== null) return { id, name: null };
  throw invalidKey(
    'This restricted key cannot read its account. Add the permission in Stripe and try again.',
  );
}

function displayName(account: {
  readonly business_profile?: { readonly name?: string | null } | null;
  readonly settings?: { readonly dashboard?: { readonly display_name?: string | null } } | null;
}): string | null {
  return account.settings?.dashboard?.display_name ?? account.business_profile?.name ?? null;
}

function asApiError(error: unknown): ApiError {
  const failure = getStripeFailure(error);
  if (failure.kind === 'busy' || failure.kind === 'unavailable') return stripeUnavailable();
  if (failure.kind === 'key-refused') return invalidKey('Stripe does not recognise this key.');
  return invalidKey(describeFailure(failure));
}

export function stripeUnavailable(): ApiError {
  return new ApiError(
    'unavailable',
    'Stripe cannot be reached, so nothing was changed. Please try again shortly.',
  );
}

function invalidKey(message: string): ApiError {
  return new ApiError('invalid-request', message, {
    issues: [{ path: 'secretKey', message: 'Invalid Secret Key' }],
  });
}
