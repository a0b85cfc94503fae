/**
 * Joins an endpoint record to its handler. A domain's routes.ts exports a list of these; mount.ts puts them on Hono,
 * authorises by the record's guard, parses by its schemas, and answers.
 */
import type { AnswerOf, BodyOf, Endpoint, Guard, ParamsOf, QueryOf } from '#contracts/public/endpoint';
import type { Caller, MemberScope, RequestContext } from './request-context.ts';

type Access<G extends Guard> = G extends { kind: 'member' }
  ? { readonly scope: MemberScope }
  : G extends { kind: 'user' | 'sudo' }
    ? { readonly caller: Caller }
    : object;

export type RouteInput<E extends Endpoint> = {
  readonly ctx: RequestContext;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
} & Access<E['guard']>;

/** A handler answers with the record's answer, with a response where the record `isRaw`, or else with nothing. */
export type Handler<E extends Endpoint> = (
  input: RouteInput<E>,
) => Promise<E extends { isRaw: true } ? Response : E extends { answer: unknown } ? AnswerOf<E> : void>;

/** An endpoint with its handler, the endpoint's own types forgotten: they were checked where it was made. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (input: never) => Promise<unknown>;
}

export function route<E extends Endpoint>(endpoint: E, handler: Handler<NoInfer<E>>): Route {
  return { endpoint, handler };
}
