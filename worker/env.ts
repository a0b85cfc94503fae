/**
 * The Worker's bindings and settings. Settings are read once per isolate; a missing or unsafe one is named, and no
 * request is served without it.
 */
import type { EnvironmentReplica } from '#objects/environment-replica/environment-replica-object';
import type { EventStream } from '#objects/event-stream/event-stream-object';
import type { Ledger } from '#objects/ledger/ledger-object';
import type { PasswordHasher } from '#objects/password-hasher/password-hasher-object';
import { hasDevelopmentMark, isDevelopmentValue } from './platform/development-value.ts';
import { type Encryption, type Keyring, openEncryption, parseKeyring } from './platform/encryption.ts';
import type { QueueMessage } from './queue/messages.ts';

export interface Env {
  /** Organisations, members, workspace, artifacts' metadata, outbox, audit log. */
  readonly DB: D1Database;
  /** Artifact content, by hash. */
  readonly ARTIFACTS: R2Bucket;
  /** Events past their retention: gzipped NDJSON under events/<orgId>/<day>/. Undelivered ones: dead-letters/<orgId>/. */
  readonly EVENT_ARCHIVE: R2Bucket;
  readonly ENVIRONMENT_REPLICA: DurableObjectNamespace<EnvironmentReplica>;
  readonly EVENT_STREAM: DurableObjectNamespace<EventStream>;
  readonly LEDGER: DurableObjectNamespace<Ledger>;
  readonly PASSWORD_HASHER: DurableObjectNamespace<PasswordHasher>;
  readonly PUBLISH_QUEUE: Queue<QueueMessage>;
  readonly EVENTS_QUEUE: Queue<QueueMessage>;
  /** Fresh webhook events. */
  readonly STRIPE_QUEUE: Queue<QueueMessage>;
  /** Events that were missed or held back. */
  readonly STRIPE_CATCH_UP_QUEUE: Queue<QueueMessage>;
  /** Events of Tessera's own Stripe account. */
  readonly BILLING_QUEUE: Queue<QueueMessage>;
  /** Sync jobs, page by page. */
  readonly SYNC_QUEUE: Queue<QueueMessage>;
  /** Who called, for the list of customers. */
  readonly SIGHTINGS_QUEUE: Queue<QueueMessage>;
  /** The parts of the schedule, one an invocation. */
  readonly SCHEDULE_QUEUE: Queue<QueueMessage>;
  /** Customer facts that were not pushed at once: one message per invocation, because each may call many ledgers. */
  readonly FACTS_QUEUE: Queue<QueueMessage>;
  /** Returns from checkouts, by client network. */
  readonly CHECKOUT_RETURN_LIMIT: RateLimit;
  /** Calls of the public API, in steps. See worker/README.md, "Rate limits". */
  readonly API_RATE_LIMIT: RateLimit;
  readonly EMAIL: SendEmail;
  /** Executes customers' code. Without it, checks are answered without workflows. */
  readonly WORKFLOW_RUNNER?: Fetcher;
  /** Executes long and unknown runs of it. Without it, WORKFLOW_RUNNER executes all. */
  readonly LONG_WORKFLOW_RUNNER?: Fetcher;
  /** The console's files. Absent from servers without a console, such as the benchmark's. */
  readonly ASSETS?: Fetcher;

  readonly ENVIRONMENT?: string;
  readonly BASE_URL?: string;
  /** Signs cookies and links; at least 32 bytes in production. */
  readonly BETTER_AUTH_SECRET?: string;
  /** `keyId:base64` of 32 bytes, newest first, separated by commas. */
  readonly ENCRYPTION_KEY?: string;
  readonly MAIL_FROM?: string;
  /** `open` (the default) or `waiting-list`: whether a new account is enabled at once. */
  readonly SIGN_UP?: string;
  /** Ledger objects of a new environment in each data location; 1024 unless set. */
  readonly LEDGER_SHARDS?: string;
  /** The key of Tessera's own Stripe account, for the organisations' subscriptions to Tessera. */
  readonly STRIPE_SECRET_KEY?: string;
  /** The signing secret of that account's webhook, which leads to /api/webhooks/stripe-billing. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** Development only: where Stripe's API is looked for, such as http://127.0.0.1:4242. */
  readonly STRIPE_API_BASE?: string;
  /** Development only: where the workflow runner is, such as http://127.0.0.1:4300, instead of behind its binding. */
  readonly WORKFLOW_RUNNER_URL?: string;
  /** Development only: where long and unknown runs are executed; WORKFLOW_RUNNER_URL unless set. */
  readonly LONG_WORKFLOW_RUNNER_URL?: string;
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
}

export interface Settings {
  readonly isDevelopment: boolean;
  /** Origin of the console, without a trailing slash. */
  readonly baseUrl: string;
  readonly authSecret: string;
  readonly encryption: Encryption;
  readonly mailFrom: string;
  readonly isSignUpOpen: boolean;
  /** Ledger objects of a new environment in each data location. */
  readonly ledgerShards: number;
  /** Origin of the Stripe emulator; null: Stripe itself. Always null in production. */
  readonly stripeApiBase: string | null;
  /** Origin of a workflow runner beside the service binding; null: the binding. Always null in production. */
  readonly workflowRunnerUrl: string | null;
  /** The same for long and unknown runs; null: the other runner executes them. */
  readonly longWorkflowRunnerUrl: string | null;
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

const settingsByEnv = new WeakMap<Env, Settings>();

/** @throws {SettingError} naming the variable */
export function settingsOf(env: Env): Settings {
  let settings = settingsByEnv.get(env);
  if (settings === undefined) {
    settings = readSettings(env);
    settingsByEnv.set(env, settings);
  }
  return settings;
}

/** @throws {SettingError} naming the variable */
export function readSettings(env: Env): Settings {
  const isDevelopment = env.ENVIRONMENT === 'development';

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
    return clientId && clientSecret ? { clientId, clientSecret, standIn } : null;
  };

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
  if (!isDevelopment && new TextEncoder().encode(authSecret).byteLength < MIN_SECRET_BYTES) {
    throw new SettingError(`BETTER_AUTH_SECRET is shorter than ${MIN_SECRET_BYTES} bytes`);
  }

  return {
    isDevelopment,
    baseUrl: readBaseUrl(required('BASE_URL')),
    authSecret,
    encryption: readEncryption(required('ENCRYPTION_KEY'), isDevelopment),
    mailFrom: required('MAIL_FROM'),
    isSignUpOpen: env.SIGN_UP !== 'waiting-list',
    ledgerShards: readShards(env.LEDGER_SHARDS),
    stripeApiBase: originOfStandIn('STRIPE_API_BASE', env.STRIPE_API_BASE, isDevelopment),
    ...readRunnerUrls(env, isDevelopment),
    workflowPatienceMs: isDevelopment ? Number(env.WORKFLOW_PATIENCE_MS) || 0 : 0,
    billing: readBilling(env, isDevelopment),
    turnstile,
    github: client('GITHUB'),
    google: client('GOOGLE'),
  };
}

function developmentValue(name: string): SettingError {
  return new SettingError(`${name} holds a development value, which only ENVIRONMENT=development accepts`);
}

/** @throws {SettingError} naming the variable */
function readBaseUrl(text: string): string {
  const origin = URL.parse(text)?.origin;
  if (!origin?.startsWith('http')) throw new SettingError('BASE_URL is not an address');
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
function originOfStandIn(name: string, value: string | undefined, isDevelopment: boolean): string | null {
  if (!value) return null;
  if (!isDevelopment) throw new SettingError(`${name} is set, which only ENVIRONMENT=development accepts`);
  const origin = URL.parse(value)?.origin;
  if (!origin?.startsWith('http')) throw new SettingError(`${name} is not an address`);
  return origin;
}

/** @throws {SettingError} naming the variable */
function readRunnerUrls(
  { WORKFLOW_RUNNER_URL: url, LONG_WORKFLOW_RUNNER_URL: longUrl }: Env,
  isDevelopment: boolean,
): Pick<Settings, 'workflowRunnerUrl' | 'longWorkflowRunnerUrl'> {
  const workflowRunnerUrl = originOfStandIn('WORKFLOW_RUNNER_URL', url, isDevelopment);
  const longWorkflowRunnerUrl = originOfStandIn('LONG_WORKFLOW_RUNNER_URL', longUrl, isDevelopment);
  if (longWorkflowRunnerUrl !== null && workflowRunnerUrl === null) {
    throw new SettingError('LONG_WORKFLOW_RUNNER_URL is set, but WORKFLOW_RUNNER_URL is not');
  }
  return { workflowRunnerUrl, longWorkflowRunnerUrl };
}

/** @throws {SettingError} naming the variable */
function readBilling(
  { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }: Env,
  isDevelopment: boolean,
): BillingAccount | null {
  if (!secretKey && !webhookSecret) return null;
  if (!secretKey) throw new SettingError('STRIPE_WEBHOOK_SECRET is set, but STRIPE_SECRET_KEY is not');
  if (!webhookSecret) throw new SettingError('STRIPE_SECRET_KEY is set, but STRIPE_WEBHOOK_SECRET is not');
  if (!isDevelopment && `${secretKey} ${webhookSecret}`.includes(STAND_IN_MARK)) {
    throw new SettingError('STRIPE_SECRET_KEY or STRIPE_WEBHOOK_SECRET is one of the emulator');
  }
  return { secretKey, webhookSecret };
}

function readShards(text = '1024'): number {
  const shards = Number(text);
  if (Number.isInteger(shards) && shards >= 1 && shards <= 65_536) return shards;
  throw new SettingError('LEDGER_SHARDS is not a whole number from 1 to 65536');
}
