/**
 * The type of an endpoint record: method, path, guard, request and response of one call. The router, the console's
 * client, the OpenAPI document and tests/rules all read the same records.
 */
import { z } from 'zod';

/** What a guard can require of a member, beyond membership. `console/permissions.ts` maps roles to permissions. */
export const permissionSchema = z.enum(['org:edit', 'team-members:edit']);
export type Permission = z.infer<typeof permissionSchema>;

/**
 * Who may call. `open`: anyone. `user`: anyone signed in. `member`: a member of the organisation in the path, with the
 * permission if one is named; everyone else gets a 404. `showsCustomers`: platform staff need consent to read it, where the organisation
 * wants that. `sudo`: platform staff. `key`: the bearer of an API key.
 */
export type Guard =
  | { readonly kind: 'open' }
  | { readonly kind: 'user' }
  | { readonly kind: 'member'; readonly permission?: Permission; readonly showsCustomers?: true }
  | { readonly kind: 'sudo' }
  | { readonly kind: 'key' };

/** What the console shows: a name for all that is read again when it changes. */
export type Resource =
  | 'activity'
  | 'api-keys'
  | 'artifacts'
  | 'billing'
  | 'customers'
  | 'dead-letters'
  | 'deployments'
  | 'environments'
  | 'events'
  | 'features'
  | 'item-uses'
  | 'jwt-integrations'
  | 'members'
  | 'organisation'
  | 'own-invitations'
  | 'own-organisations'
  | 'plans'
  | 'stripe-integrations'
  | 'stripe-products'
  | 'sudo-organisations'
  | 'sudo-users'
  | 'summary'
  | 'support-access'
  | 'team'
  | 'usage'
  | 'webhook-deliveries'
  | 'webhooks'
  | 'workflows';

/**
 * What a call makes stale. `workspace`: what is compiled from features, plans, product links and workflows, that is versions, deployments
 * and environments, since versions are compared with the workspace and the preview environment follows it.
 */
export type Change = Resource | 'workspace' | 'everything';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Starts with /api, or with the name of another protocol. Parameters are written `:name`. */
  readonly path: string;
  readonly guard: Guard;
  readonly summary: string;
  /** Of a call that reads, for the console: what it is a part of. */
  readonly reads?: Resource;
  /** Of a call that changes something, for the console: what is read again after it, and the activity. */
  readonly changes?: readonly Change[];
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Absent when the response has no body (204), or `isRaw`. */
  readonly answer?: z.ZodType;
  /** The handler makes the response: a file, or a WebSocket. */
  readonly isRaw?: true;
  /** The status of an answer. Default 200. */
  readonly status?: 200 | 201 | 202;
}

/** A call of the public API. What serves it follows from its record, see domains/access/public-calls.ts. */
export interface PublicEndpoint extends Endpoint {
  readonly guard: { readonly kind: 'key' };
  /** The message that refuses public keys; absent: keys of both types may call. */
  readonly secretKeyOnly?: string;
  /** The message that refuses keys without the permission to manage customers; absent: it is not needed. */
  readonly managingKeyOnly?: string;
  /** Of the body. `values`: lists, objects and their entries, counted together. */
  readonly limits: { readonly bytes: number; readonly values: number };
  /** Whose shapes errors have, and whose headers carry keys; absent: our own. */
  readonly protocol?: 'ofrep';
  /** The type of its events; null: calls are not recorded. */
  readonly recordedAs: 'ac' | 'cu' | null;
  /** Its events are of holds. */
  readonly isHold?: true;
}

/** Several times the values of any valid request. */
export const CALL_LIMITS = { bytes: 64 * 1024, values: 1_000 } as const;

type Fields = Omit<Endpoint, 'method' | 'path' | 'guard'>;

/** Calls that the console makes after sign-in say what they read or change. */
type ConsoleFields = Fields &
  ({ readonly reads: Resource } | { readonly changes: readonly Change[] } | { readonly isRaw: true });

type FieldsFor<G extends Guard> = G['kind'] extends 'open' | 'key' ? Fields : ConsoleFields;

/** Keeps a record's literal types, so the compiler knows path parameters, bodies and responses. */
function endpointsFor<const G extends Guard>(guard: G) {
  const calledBy =
    <M extends Method>(method: M) =>
    <const Path extends string, const F extends FieldsFor<G>>(path: Path, fields: F) => ({
      ...fields,
      method,
      path,
      guard,
    });
  return { get: calledBy('GET'), post: calledBy('POST'), put: calledBy('PUT'), remove: calledBy('DELETE') };
}

/** Endpoint records by who may call. */
export const open = endpointsFor({ kind: 'open' });
export const user = endpointsFor({ kind: 'user' });
export const member = endpointsFor({ kind: 'member' });
/** Its answers contain customers or events. */
export const customerReader = endpointsFor({ kind: 'member', showsCustomers: true });
export const orgEditor = endpointsFor({ kind: 'member', permission: 'org:edit' });
export const teamEditor = endpointsFor({ kind: 'member', permission: 'team-members:edit' });
export const sudo = endpointsFor({ kind: 'sudo' });
export const keyed = endpointsFor({ kind: 'key' });

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<E extends Endpoint> = { readonly [Name in ParamNames<E['path']>]: string };
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
/** The body as sent, before defaults and transforms. */
export type BodyInputOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;
export type QueryInputOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.input<E['query']> : undefined;
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodType ? z.output<E['answer']> : undefined;
