/**
 * The Worker's settings: how they are written, and what they mean. A missing, malformed or unsafe one is named, and no request is served
 * without it. `npm start` reads them with the same function before it starts anything, so that this imports no binding.
 */
import { hasDevelopmentMark, isDevelopmentValue } from './platform/development-value.ts';
import { type Encryption, type Keyring, openEncryption, parseKeyring } from './platform/encryption.ts';

/** As they are set: [vars] of wrangler.toml, secrets, .dev.vars. */
export interface SettingTexts {
  readonly ENVIRONMENT?: string;
  readonly BASE_URL?: string;
  /** Signs cookies and links; at least 32 bytes in production. */
  readonly BETTER_AUTH_SECRET?: string;
  /** The one before, while sessions and links that it signed are still accepted. */
  readonly BETTER_AUTH_PREVIOUS_SECRET?: string;
  /** `keyId:base64` of 32 bytes, newest first, separated by commas. */
  readonly ENCRYPTION_KEY?: string;
  readonly MAIL_FROM?: string;
  /** `open` (the default) or `waiting-list`: whether a new account is enabled at once. */
  readonly SIGN_UP?: string;
  /** Ledger objects of a new environment in each data location; 16 unless set. */
  readonly LEDGER_SHARDS?: string;
  /** The key of Tessera's own Stripe account, for the organisations' subscriptions to Tessera. */
  readonly STRIPE_SECRET_KEY?: string;
  /** The signing secret of that account's webhook, which leads to /api/webhooks/stripe-billing. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** `off` (the default) or `on`: whether Stripe Tax adds tax to what organisations subscribe to. */
  readonly STRIPE_AUTOMATIC_TAX?: string;
  /** Development only: where Stripe's API is looked for, such as http://127.0.0.1:4242. */
  readonly STRIPE_API_BASE?: string;
  /** Development only: a key of the Stripe emulator, which the quick start names. */
  readonly STRIPE_EMULATOR_KEY?: string;
  /** Development only: origin of the process that runs workflows in place of LOADER, such as http://127.0.0.1:4300. */
  readonly WORKFLOW_RUNNER_URL?: string;
  /** Development only: what that process asks of its callers. */
  readonly WORKFLOW_RUNNER_SECRET?: string;
  /** Development only: milliseconds that workflows have beyond their budget, because a busy machine is slow. */
  readonly WORKFLOW_PATIENCE_MS?: string;
  readonly TURNSTILE_SITE_KEY?: string;
  readonly TURNSTILE_SECRET_KEY?: string;
  readonly GITHUB_CLIENT_ID?: string;
  readonly GITHUB_CLIENT_SECRET?: string;
  readonly GOOGLE_CLIENT_ID?: string;
  readonly GOOGLE_CLIENT_SECRET?: string;
  /** Development only: a server on this machine that replaces GitHub or Google, such as http://127.0.0.1:4002. */
  readonly GITHUB_BASE_URL?: string;
  readonly GOOGLE_BASE_URL?: string;
}

/** Every name that can be set. */
export const SETTING_NAMES: readonly string[] = Object.keys({
  ENVIRONMENT: true,
  BASE_URL: true,
  BETTER_AUTH_SECRET: true,
  BETTER_AUTH_PREVIOUS_SECRET: true,
  ENCRYPTION_KEY: true,
  MAIL_FROM: true,
  SIGN_UP: true,
  LEDGER_SHARDS: true,
  STRIPE_SECRET_KEY: true,
  STRIPE_WEBHOOK_SECRET: true,
  STRIPE_AUTOMATIC_TAX: true,
  STRIPE_API_BASE: true,
  STRIPE_EMULATOR_KEY: true,
  WORKFLOW_RUNNER_URL: true,
  WORKFLOW_RUNNER_SECRET: true,
  WORKFLOW_PATIENCE_MS: true,
  TURNSTILE_SITE_KEY: true,
  TURNSTILE_SECRET_KEY: true,
  GITHUB_CLIENT_ID: true,
  GITHUB_CLIENT_SECRET: true,
  GOOGLE_CLIENT_ID: true,
  GOOGLE_CLIENT_SECRET: true,
  GITHUB_BASE_URL: true,
  GOOGLE_BASE_URL: true,
} satisfies Record<keyof SettingTexts, true>);

/** Secrets that production cannot do without. */
export const REQUIRED_SECRETS: readonly (keyof SettingTexts)[] = [
  'BETTER_AUTH_SECRET',
  'ENCRYPTION_KEY',
  'TURNSTILE_SECRET_KEY',
];

export interface SocialClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origin of a replacement for the provider, or null to use the provider. Always null in production. */
  readonly standIn: string | null;
}

/** Tessera's own Stripe account. */
export interface BillingAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Whether Stripe Tax adds tax to new subscriptions. */
  readonly isTaxAutomatic: boolean;
}

export interface Settings {
  readonly isDevelopment: boolean;
  /** Origin of the console, without a trailing slash. */
  readonly baseUrl: string;
  readonly authSecret: string;
  /** Accepted beside it, and signs nothing; null: none. */
  readonly previousAuthSecret: string | null;
  readonly encryption: Encryption;
  readonly mailFrom: string;
  readonly isSignUpOpen: boolean;
  /** Ledger objects of a new environment in each data location. */
  readonly ledgerShards: number;
  /** Origin of the Stripe emulator; null: Stripe itself. Always null in production. */
  readonly stripeApiBase: string | null;
  /** A key of the Stripe emulator that anyone may use; null: none. Always null in production. */
  readonly stripeEmulatorKey: string | null;
  /** The process that runs workflows in place of LOADER, and its secret; null: LOADER. Always null in production. */
  readonly workflowRunner: { readonly url: string; readonly secret: string } | null;
  /** Milliseconds that workflows have beyond their budget; 0 in production. */
  readonly workflowPatienceMs: number;
  /** Null: nobody can subscribe to anything but build. */
  readonly billing: BillingAccount | null;
  /** Null to use the development replacement. Never null in production. */
  readonly turnstile: { readonly siteKey: string; readonly secretKey: string } | null;
  readonly github: SocialClient | null;
  readonly google: SocialClient | null;
}

/** A setting that production cannot do without is missing or is a development value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** As many as an HMAC-SHA-256 key should have. */
const MIN_SECRET_BYTES = 32;
/** Cloudflare's public test keys, which pass or refuse everybody. */
const TURNSTILE_TEST_KEY = /^[123]x0+[A-F]{2}$/i;
/** Part of every key and secret of the Stripe emulator. */
const STAND_IN_MARK = 'emulator';

/** @throws {SettingError} naming the variable */
export function readSettings(env: SettingTexts): Settings {
  const isDevelopment =
    oneOf('ENVIRONMENT', env.ENVIRONMENT, ['production', 'development']) === 'development';

  const required = (name: 'BASE_URL' | 'BETTER_AUTH_SECRET' | 'ENCRYPTION_KEY' | 'MAIL_FROM'): string => {
    const value = env[name];
    if (!value) throw new SettingError(`${name} is not set`);
    // Of an encryption key, the bytes are compared: its id says nothing.
    if (!isDevelopment && name !== 'ENCRYPTION_KEY' && isDevelopmentValue(value))
      throw developmentValue(name);
    return value;
  };
  const client = (name: 'GITHUB' | 'GOOGLE'): SocialClient | null => {
    const standIn = originOfStandIn(`${name}_BASE_URL`, env[`${name}_BASE_URL`], isDevelopment);
    const clientId = env[`${name}_CLIENT_ID`];
    const clientSecret = env[`${name}_CLIENT_SECRET`];
    ensureBoth(env, `${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`);
    return clientId && clientSecret ? { clientId, clientSecret, standIn } : null;
  };

  ensureBoth(env, 'TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY');
  const turnstile =
    env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY
      ? { siteKey: env.TURNSTILE_SITE_KEY, secretKey: env.TURNSTILE_SECRET_KEY }
      : null;
  if (turnstile === null && !isDevelopment) {
    throw new SettingError('TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY are not both set');
  }

  if (turnstile !== null && !isDevelopment && TURNSTILE_TEST_KEY.test(turnstile.secretKey)) {
    throw developmentValue('TURNSTILE_SECRET_KEY');
  }
  const authSecret = required('BETTER_AUTH_SECRET');
  if (!isDevelopment && new TextEncoder().encode(authSecret.trim()).byteLength < MIN_SECRET_BYTES) {
    throw new SettingError(`BETTER_AUTH_SECRET is shorter than ${MIN_SECRET_BYTES} bytes`);
  }

  const previousAuthSecret = env.BETTER_AUTH_PREVIOUS_SECRET || null;
  if (!isDevelopment && previousAuthSecret !== null && isDevelopmentValue(previousAuthSecret)) {
    throw developmentValue('BETTER_AUTH_PREVIOUS_SECRET');
  }

  return {
    isDevelopment,
    baseUrl: readBaseUrl(required('BASE_URL')),
    authSecret,
    previousAuthSecret,
    encryption: readEncryption(required('ENCRYPTION_KEY'), isDevelopment),
    mailFrom: required('MAIL_FROM'),
    isSignUpOpen: oneOf('SIGN_UP', env.SIGN_UP, ['open', 'waiting-list']) === 'open',
    ledgerShards: readShards(env.LEDGER_SHARDS),
    stripeApiBase: originOfStandIn('STRIPE_API_BASE', env.STRIPE_API_BASE, isDevelopment),
    stripeEmulatorKey: developmentOnly('STRIPE_EMULATOR_KEY', env.STRIPE_EMULATOR_KEY, isDevelopment),
    workflowRunner: readWorkflowRunner(env, isDevelopment),
    workflowPatienceMs: isDevelopment ? readPatience(env.WORKFLOW_PATIENCE_MS) : 0,
    billing: readBilling(env, isDevelopment),
    turnstile,
    github: client('GITHUB'),
    google: client('GOOGLE'),
  };
}

/** @throws {SettingError} naming the variable */
function readWorkflowRunner(env: SettingTexts, isDevelopment: boolean): Settings['workflowRunner'] {
  const url = originOfStandIn('WORKFLOW_RUNNER_URL', env.WORKFLOW_RUNNER_URL, isDevelopment);
  const secret = developmentOnly('WORKFLOW_RUNNER_SECRET', env.WORKFLOW_RUNNER_SECRET, isDevelopment);
  ensureBoth(env, 'WORKFLOW_RUNNER_URL', 'WORKFLOW_RUNNER_SECRET');
  return url === null || secret === null ? null : { url, secret };
}

function developmentValue(name: string): SettingError {
  return new SettingError(`${name} is set to a development value, allowed only with ENVIRONMENT=development`);
}

/** @throws {SettingError} naming the variable */
function readBaseUrl(text: string): string {
  const origin = URL.parse(text)?.origin;
  if (!origin?.startsWith('http')) throw new SettingError('BASE_URL is not a valid URL');
  return origin;
}

/** @throws {SettingError} naming the variable */
function readEncryption(text: string, isDevelopment: boolean): Encryption {
  let keys: Keyring;
  try {
    keys = parseKeyring(text);
  } catch (error) {
    throw new SettingError(`ENCRYPTION_KEY ${(error as TypeError).message}`);
  }
  if (!isDevelopment && [...keys.values()].some(hasDevelopmentMark)) throw developmentValue('ENCRYPTION_KEY');
  return openEncryption(keys);
}

/** @throws {SettingError} naming the variable */
function developmentOnly(name: string, value: string | undefined, isDevelopment: boolean): string | null {
  if (!value) return null;
  if (!isDevelopment) throw new SettingError(`${name} is set, which only ENVIRONMENT=development accepts`);
  return value;
}

/** @throws {SettingError} naming the variable */
function originOfStandIn(name: string, text: string | undefined, isDevelopment: boolean): string | null {
  const value = developmentOnly(name, text, isDevelopment);
  if (value === null) return null;
  const origin = URL.parse(value)?.origin;
  if (!origin?.startsWith('http')) throw new SettingError(`${name} is not a valid URL`);
  return origin;
}

/** @throws {SettingError} naming the variable */
function readBilling(env: SettingTexts, isDevelopment: boolean): BillingAccount | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  const isTaxAutomatic = oneOf('STRIPE_AUTOMATIC_TAX', env.STRIPE_AUTOMATIC_TAX, ['off', 'on']) === 'on';
  ensureBoth(env, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET');
  if (!secretKey || !webhookSecret) return null;
  if (!isDevelopment && `${secretKey} ${webhookSecret}`.includes(STAND_IN_MARK)) {
    throw new SettingError('STRIPE_SECRET_KEY or STRIPE_WEBHOOK_SECRET belongs to the Stripe emulator');
  }
  return { secretKey, webhookSecret, isTaxAutomatic };
}

/** @returns the value, or the first if it is not set. @throws {SettingError} for any other */
function oneOf(
  name: keyof SettingTexts,
  value: string | undefined,
  values: readonly [string, string],
): string {
  if (!value) return values[0];
  if (values.includes(value)) return value;
  throw new SettingError(`${name} must be ${values.join(' or ')}, not ${JSON.stringify(value)}`);
}

/** @throws {SettingError} if one of the two is set without the other */
function ensureBoth(env: SettingTexts, one: keyof SettingTexts, other: keyof SettingTexts): void {
  if (env[one] && !env[other]) throw new SettingError(`${one} is set, but ${other} is not`);
  if (env[other] && !env[one]) throw new SettingError(`${other} is set, but ${one} is not`);
}

function readPatience(text = '0'): number {
  const patienceMs = Number(text);
  if (Number.isInteger(patienceMs) && patienceMs >= 0) return patienceMs;
  throw new SettingError('WORKFLOW_PATIENCE_MS is not a whole number of milliseconds');
}

function readShards(text = '16'): number {
  const shards = Number(text);
  if (Number.isInteger(shards) && shards >= 1 && shards <= 65_536) return shards;
  throw new SettingError('LEDGER_SHARDS is not a whole number from 1 to 65536');
}
