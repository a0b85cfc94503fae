/** What every handler is given: the outside, the instant, and who is asking. Made once per request. */
import type { Permission, Role } from '#contracts/permissions';
import type { Db } from '#worker/db/database';
import type { Env, Settings } from '#worker/env';
import type { IdPrefix } from '#worker/platform/ids';
import type { Log } from '#worker/platform/log';
import type { Place } from './place.ts';

export interface RequestContext {
  readonly request: Request;
  readonly env: Env;
  readonly settings: Settings;
  readonly db: Db;
  /** The instant of the request, epoch milliseconds. */
  readonly now: number;
  readonly requestId: string;
  readonly newId: (prefix: IdPrefix) => string;
  readonly place: Place;
  readonly log: Log;
  /** Work that goes on after the answer; its failure is logged. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** What a use case needs that also works without a request: for a queue message, or by the clock. */
export type WorkContext = Pick<
  RequestContext,
  'env' | 'settings' | 'db' | 'now' | 'newId' | 'log' | 'waitUntil'
>;

/** Who is signed in. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isSudo: boolean;
}

/** The tenant of a call: every store function takes it first. */
export interface Scope {
  readonly orgId: string;
}

/** A member's (or, in sudo mode, platform staff's) standing in the organisation of the path. */
export interface MemberScope extends Scope {
  readonly role: Role | 'sudo';
  readonly permissions: readonly Permission[];
}
