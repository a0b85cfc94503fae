/** The context of a request, created once and passed to every handler, and the scopes that name tenant and actor. */
import type { ActingKey } from '#contracts/console/api-keys';
import type { Role } from '#contracts/console/permissions';
import type { Permission } from '#contracts/public/endpoint';
import type { Place } from '#engine/access/place';
import type { IdPrefix } from '#runtime/ids';
import type { Log } from '#runtime/log';
import type { Db, Statement } from '#worker/db/database';
import type { Env } from '#worker/env';
import type { Settings } from '#worker/settings';

export interface RequestContext {
  readonly request: Request;
  readonly env: Env;
  readonly settings: Settings;
  readonly db: Db;
  /** The instant of the request, epoch milliseconds. */
  readonly now: number;
  /** The current time, epoch milliseconds: for work that outlasts `now`. */
  readonly clock: () => number;
  readonly requestId: string;
  readonly newId: (prefix: IdPrefix) => string;
  readonly place: Place;
  readonly log: Log;
  /** Work that continues after the response; its failure is logged. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The context of use cases that also run without a request: for a queue message or on a schedule. */
export type WorkContext = Pick<
  RequestContext,
  'env' | 'settings' | 'db' | 'now' | 'clock' | 'newId' | 'log' | 'waitUntil'
>;

/** A work context with the place from which what is changed is read again: a request context satisfies it. */
export type PlacedContext = WorkContext & Pick<RequestContext, 'place'>;

/** Who is signed in. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isSudo: boolean;
}

/** The tenant of a call: the first argument of every store function after the database. */
export interface Scope {
  readonly orgId: string;
}

/** A tenant, and who changes something in it. */
export interface ActorScope extends Scope {
  /** Null: the service itself, e.g. a scheduled job. */
  readonly actor: Pick<Caller, 'userId'> | null;
}

/** A tenant, and who changes one of its customers: a member, or an API key with the permission. */
export interface CustomerScope extends Scope {
  readonly actor: Pick<Caller, 'userId'> | { readonly key: ActingKey };
  /** Committed with each change in this scope: that a request was carried out. */
  readonly receipt?: readonly Statement[] | undefined;
  /** Facts are pushed by the queue, not before the answer: a batch of changes has no calls of ledgers to spare. */
  readonly isPushedLater?: boolean;
}

/** The caller's membership of the organisation in the path; role `sudo` is platform staff without a membership. */
export interface MemberScope extends ActorScope {
  readonly actor: Caller;
  readonly role: Role | 'sudo';
  readonly permissions: readonly Permission[];
  /** False for platform staff while the organisation's owners do not consent. */
  readonly mayReadCustomers: boolean;
}
