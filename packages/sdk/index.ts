/**
 * Asks Tessera what a customer can do, and counts what they use. For servers, edge and functions: browsers use ./browser. Everything public of
 * this entry is declared here, so that its declarations are one file, which generated types extend.
 */
import { openTessera } from './core/client.ts';
import { RaisedError } from './core/error.ts';

/** Extended by tessera.gen.ts: `{ features: { reports: { enabled: boolean; rows: number } }; plans: 'free' | 'team' }`. */
// biome-ignore lint/suspicious/noEmptyInterface: the generated types extend it
export interface Register {}
type Registered<K extends string, Otherwise> = Register extends Record<K, infer T> ? T : Otherwise;

/** By slug, then by property key. */
export type Features = Registered<'features', Record<string, Record<string, PropertyValue>>>;
export type Plan = Registered<'plans', string>;
export type PropertyValue = boolean | number | string | Meter;
export type Meter =
  | { readonly state: 'on'; readonly allowed: true; readonly entity?: EntityMeter }
  | { readonly state: 'off'; readonly allowed: false }
  | {
      readonly state: 'metered';
      /** Whether there is room for more. */
      readonly allowed: boolean;
      readonly limit: number;
      readonly used: number;
      /** What open holds have taken: no part of `used`. Absent without any. */
      readonly held?: number;
      readonly remaining: number;
      /** Null if nothing resets. */
      readonly resetsAt: Date | null;
      readonly entity?: EntityMeter;
    };
/** Where a plan limits each entity: that limit, and the usage of `on.entity`. */
export interface EntityMeter {
  /** Null: `on` names none. Then the limit is all that is known. */
  readonly id: string | null;
  readonly limit: number;
  readonly used?: number;
  readonly held?: number;
  readonly remaining?: number;
  readonly allowed?: boolean;
  readonly resetsAt?: number | null;
}

export type FeatureSlug = keyof Features & string;
/** `feature.property`, split at the first dot: slugs have none. */
export type Path<V = PropertyValue> = string extends FeatureSlug
  ? string
  : {
      [F in FeatureSlug]: {
        [P in keyof Features[F] & string]: Features[F][P] extends V ? `${F}.${P}` : never;
      }[keyof Features[F] & string];
    }[FeatureSlug];
/** A feature's slug stands for its verdict, wherever something is read. What counts needs a property. */
export type ValueOf<P extends string> = string extends FeatureSlug
  ? PropertyValue
  : P extends FeatureSlug
    ? boolean
    : P extends `${infer F}.${infer K}`
      ? F extends FeatureSlug
        ? K extends keyof Features[F]
          ? Features[F][K]
          : never
        : never
      : never;
/** What may be allowed: a feature, a switch, or a meter with room. */
export type Gate = FeatureSlug | Path<boolean> | Path<Meter>;
export type Fallback<V> = V extends boolean
  ? boolean
  : V extends number
    ? number
    : V extends string
      ? string
      : V;

/** What `get` answers. Without generated types the fallback says which type is meant: a value of another one is not returned. */
export type Got<P extends string, F> = string extends FeatureSlug
  ? F extends Meter
    ? Meter
    : Fallback<F>
  : ValueOf<P>;

/** Who has usage. `user` needs a secret key; `token` is the user's own JWT. `entity`: one of theirs, such as a member of a team, which plans may limit. */
export type Identified =
  | {
      readonly user: string;
      readonly entity?: string | undefined;
      readonly token?: never;
      readonly anonymous?: never;
    }
  | {
      readonly token: string;
      readonly entity?: string | undefined;
      readonly user?: never;
      readonly anonymous?: never;
    };
export type Subject =
  | Identified
  | {
      readonly anonymous: true;
      readonly user?: never;
      readonly token?: never;
      readonly entity?: never;
    };
/** Given to the workspace's workflows. Answers are cached for each context. */
export type Context = { readonly [name: string]: boolean | number | string };

/**
 * `live`: asked now. `cache`: asked before and valid. `stale`: no longer valid, while the API cannot be reached in time. `fallback`: the caller's.
 */
export type Source = 'live' | 'cache' | 'stale' | 'fallback';

/** @template Shown `Partial<Features>` where something may be kept back: an answer in a browser, for example */
export interface Access<Shown = Features> {
  readonly features: Shown;
  readonly plans: readonly Plan[];
  readonly source: Source;
  /** Since it was asked. */
  readonly ageMs: number;
  readonly validUntil: Date;
  /** Null if nothing is deployed. */
  readonly version: { readonly artifactId: string; readonly number: number | null } | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly requestId: string | null;
  /** False also for what the deployed version does not have. */
  can(gate: Gate): boolean;
  /** Undefined if the deployed version does not have it. */
  get<P extends Path | FeatureSlug>(path: P): ValueOf<P> | undefined;
  toJSON(): AccessJson;
}
/** An answer on its way to a browser: `bootstrap` there. */
export interface AccessJson {
  readonly v: 1;
  readonly [field: string]: unknown;
}

export interface TesseraOptions {
  /** Default: the environment variable TESSERA_KEY. */
  readonly key?: string | undefined;
  /** Default: the environment variable TESSERA_URL. */
  readonly url?: string | undefined;
  /** Of one attempt. Default 1,500. */
  readonly timeoutMs?: number | undefined;
  readonly cache?:
    | {
        /** Default 10,000. */
        readonly maxSubjects?: number;
        /**
         * Of memory, about. An answer is taken for 1,000 bytes and two for each character of the API’s, which is more than measured.
         * Default 32,000,000, a quarter of a Worker's memory: 10,000 subjects with 1,000 characters each, or 300 with 50,000.
         */
        readonly maxBytes?: number;
        /** How long answers are used while the API cannot be reached. Default: an hour. */
        readonly staleMs?: number;
      }
    | false
    | undefined;
  readonly buffer?:
    | {
        /** How long counted usage waits for more. Default 250. */
        readonly flushAfterMs?: number;
        /** Default 10,000. What is counted beyond it is handed over at once. */
        readonly maxUpdates?: number;
        /** Receives usage that can no longer be sent safely. Without it, `flush` rejects. */
        readonly onUndelivered?: (updates: readonly CountedUpdate[]) => void;
      }
    | undefined;
  /** `ctx.waitUntil` in Workers. Found without it on Vercel and Netlify. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly onEvent?: ((event: TesseraEvent) => void) | undefined;
}

/** Usage as it was counted. Sent again with its key within 24 hours, it counts once. */
export interface CountedUpdate {
  readonly idempotencyKey: string;
  /** When it happened, epoch milliseconds. */
  readonly at: number;
  readonly on: Identified;
  readonly meter: string;
  readonly by?: number;
  readonly resource?: string;
  readonly release?: boolean;
  readonly givesBack?: string;
}

export type TesseraEvent =
  | {
      readonly type: 'answer';
      readonly source: Source;
      readonly ms: number;
      readonly requestId: string | null;
      /** Why the answer is stale or the fallback. */
      readonly error?: TesseraError | undefined;
    }
  | { readonly type: 'retry'; readonly error: TesseraError }
  /** A mistake in the application or its settings, once for each kind. Without `onEvent` it is written to console.error. */
  | { readonly type: 'mistake'; readonly message: string }
  | {
      readonly type: 'undelivered';
      readonly error: TesseraError;
      readonly updates: readonly CountedUpdate[];
    };

interface On {
  readonly on: Subject;
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
}
type Amount =
  | { readonly by?: number | undefined; readonly resource?: never }
  | { readonly resource: string; readonly by?: never };

export interface Peeked<V> {
  readonly value: V;
  readonly source: 'cache' | 'stale';
  readonly ageMs: number;
}

export interface Tessera {
  /** All features of one subject. Rejects only if there is neither an answer nor one that may still be used. */
  check(
    subject: Subject,
    options?: { readonly context?: Context | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Access>;
  /**
   * The same for each of many subjects, in their order: up to 100 go in one call, and those that are cached in none. Never rejects:
   * null where `check` would.
   */
  checkMany(
    subjects: readonly Subject[],
    options?: { readonly context?: Context | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<(Access | null)[]>;
  /** Never rejects. The fallback is the product's decision about an outage. */
  can(gate: Gate, options: On & { readonly fallback: boolean }): Promise<boolean>;
  /** Never rejects. */
  get<P extends Path | FeatureSlug, F extends Fallback<ValueOf<P>>>(
    path: P,
    options: On & { readonly fallback: F },
  ): Promise<Got<P, F>>;
  /** What is cached, at once: null if nothing is, or if it is no longer valid while the API can be reached. */
  peek<P extends Path | FeatureSlug>(
    path: P,
    options: { readonly on: Subject; readonly context?: Context | undefined },
  ): Peeked<ValueOf<P>> | null;
  /** Takes usage if it fits, atomically. Never rejects: in an outage the fallback decides, and `allow` counts it later. */
  consume(
    meter: Path<Meter>,
    options: Omit<On, 'on'> & { readonly on: Identified } & Amount & {
        readonly fallback: 'allow' | 'deny';
        readonly idempotencyKey?: string | undefined;
      },
  ): Promise<Consumed>;
  /**
   * Counts, whatever the limit: sent in batches, in order for each customer, and counted once.
   * @returns the idempotency key
   * @throws {TesseraError} invalid-request, for what no server would count
   */
  count(
    meter: Path<Meter>,
    options: { readonly on: Identified; readonly idempotencyKey?: string | undefined } & (
      | (Amount & {
          /** Gives the resource back. */
          readonly release?: boolean | undefined;
          /** When it happened, up to 24 hours ago. Default: now. */
          readonly at?: Date | undefined;
        })
      | {
          /** The idempotency key of usage of the last 24 hours: it is given back, to the balances that paid for it. Once. */
          readonly givesBack: string;
          /** Negative: not all of it. */
          readonly by?: number | undefined;
        }
    ),
  ): string;
  /** Resolves when everything counted so far is acknowledged. @throws {TesseraError} after `timeoutMs`, default 10,000, or for undelivered usage */
  flush(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Forgets cached answers: after a checkout, for example. */
  refresh(subject?: Subject): void;
  /** Sends what was counted. */
  close(): Promise<void>;
}

export interface Consumed {
  readonly allowed: boolean;
  readonly counted: 'now' | 'later' | 'no';
  /** Afterwards; null if unknown. */
  readonly meter: Meter | null;
  readonly source: 'live' | 'fallback';
}

/** Why exactly the API refused. A code never changes its meaning; a newer server may have more. */
export type TesseraErrorCode =
  | 'invalid-field'
  | 'body-incomplete'
  | 'body-malformed'
  | 'body-too-complex'
  | 'token-not-verified'
  | 'subject-anonymous'
  | 'nothing-deployed'
  | 'feature-unknown'
  | 'property-unknown'
  | 'property-not-meterable'
  | 'occurred-too-long-ago'
  | 'occurred-in-future'
  | 'count-too-large'
  | 'plan-unknown'
  | 'meter-unknown'
  | 'meter-counts-resources'
  | 'entity-required'
  | 'value-invalid'
  | 'until-in-past'
  | 'stripe-customer-unknown'
  | 'price-not-sold'
  | 'key-missing'
  | 'key-malformed'
  | 'key-unknown'
  | 'key-revoked'
  | 'secret-key-required'
  | 'managing-key-required'
  | 'path-unknown'
  | 'flag-unknown'
  | 'customer-unknown'
  | 'environment-unknown'
  | 'grant-unknown'
  | 'override-unknown'
  | 'balance-unknown'
  | 'hold-unknown'
  | 'method-not-allowed'
  | 'nothing-to-give-back'
  | 'idempotency-key-reused'
  | 'customer-in-stripe'
  | 'customer-busy'
  | 'customer-limit-reached'
  | 'email-taken'
  | 'email-has-data'
  | 'user-id-taken'
  | 'stripe-customer-taken'
  | 'stripe-customer-needed'
  | 'stripe-refused'
  | 'grant-exists'
  | 'grant-limit-reached'
  | 'balance-exists'
  | 'balance-limit-reached'
  | 'override-limit-reached'
  | 'extension-limit-reached'
  | 'hold-over'
  | 'hold-settled'
  | 'set-for-all-environments'
  | 'body-too-large'
  | 'content-type-unsupported'
  | 'content-encoding-unsupported'
  | 'too-many-calls'
  | 'too-many-unknown-keys'
  | 'too-many-changes'
  | 'too-many-holds'
  | 'too-many-entities'
  | 'too-many-new-customers'
  | 'allowance-used-up'
  | 'key-share-used-up'
  | 'server-error'
  | 'environment-unavailable'
  | 'usage-unavailable'
  | 'database-unavailable'
  | 'database-silent'
  | 'no-time-left'
  | 'stripe-unavailable'
  | (string & {});

export interface TesseraError extends Error {
  readonly name: 'TesseraError';
  /** An open set: a newer server may name new situations. */
  readonly type:
    | 'invalid-request'
    | 'unauthenticated'
    | 'forbidden'
    | 'not-found'
    | 'conflict'
    | 'rate-limited'
    | 'usage-blocked'
    | 'unavailable'
    | 'server-error'
    | 'network'
    | 'timeout'
    | 'aborted'
    | (string & {});
  /** Null where the API did not answer, and with servers of earlier releases. */
  readonly code: TesseraErrorCode | null;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}
/** For `instanceof`. */
export const TesseraError: { readonly prototype: TesseraError; new (): TesseraError } = RaisedError as never;

/** Starts nothing: no timer, socket or random number before the first call, so a client may be created at module level in a Worker. */
export function createTessera(options: TesseraOptions = {}): Tessera {
  return openTessera(options);
}
