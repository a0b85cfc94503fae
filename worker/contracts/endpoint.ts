/**
 * The form of an endpoint record: method, path, guard, request and answer of one call. The router, the console's
 * client, the OpenAPI document and the tests of tests/rules all read the same records.
 */
import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/**
 * Who may call: `open` anyone; `user` whoever is signed in; `member` a member of the path's organisation (with the
 * permission, where one is named; anybody else gets a 404); `sudo` platform staff; `key` the bearer of an API key.
 */
export type Guard =
  | { readonly kind: 'open' }
  | { readonly kind: 'user' }
  | { readonly kind: 'member'; readonly permission?: Permission }
  | { readonly kind: 'sudo' }
  | { readonly kind: 'key' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Begins with /api; parameters are written `:name`. */
  readonly path: string;
  readonly guard: Guard;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Absent: the answer has no body (204). */
  readonly answer?: z.ZodType;
  /** Of success; 200 unless told. */
  readonly status?: 200 | 201 | 202 | 204;
}

/** Keeps the record's literal types, so that path parameters, bodies and answers are known to the compiler. */
export function endpoint<const E extends Endpoint>(record: E): E {
  return record;
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<E extends Endpoint> = { readonly [Name in ParamNames<E['path']>]: string };
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined;
/** What a caller sends, before defaults and transforms. */
export type BodyInputOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;
export type QueryInputOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.input<E['query']> : undefined;
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodType ? z.output<E['answer']> : undefined;
