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

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Starts with /api, or with the name of another protocol. Parameters are written `:name`. */
  readonly path: string;
  readonly guard: Guard;
  readonly summary: string;
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
}

/** Several times the values of any valid request. */
export const CALL_LIMITS = { bytes: 64 * 1024, values: 1_000 } as const;

type Fields = Omit<Endpoint, 'method' | 'path' | 'guard'>;

/** Keeps a record's literal types, so the compiler knows path parameters, bodies and responses. */
function endpointsFor<const G extends Guard>(guard: G) {
  const calledBy =
    <M extends Method>(method: M) =>
    <const Path extends string, const F extends Fields>(path: Path, fields: F) => ({
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
