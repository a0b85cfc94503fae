/** Joins the records of public calls to their handlers, and finds the route of a path and method. */
import type { BodyOf, Endpoint, PublicEndpoint } from '#contracts/public/endpoint';
import type { Env } from '#worker/env';
import { CallBodies, type CallBody } from './call-bodies.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';

/** @throws {ApiError} at once, or by its promise */
type CallHandler<E extends PublicEndpoint> = (
  call: PublicCall,
  body: CallBody<BodyOf<E>>,
  context: ExecutionContext,
) => PublicAnswer | Promise<PublicAnswer>;

/** A call with an API key. The types of its body were checked where it was made. */
export interface KeyRoute {
  readonly endpoint: PublicEndpoint;
  /** Null: the call has no body. */
  readonly bodies: CallBodies<unknown> | null;
  readonly answer: (
    call: PublicCall,
    body: CallBody<never>,
    context: ExecutionContext,
  ) => PublicAnswer | Promise<PublicAnswer>;
}

/** A call that needs no key: neither limited nor recorded. */
export interface OpenRoute {
  readonly endpoint: Endpoint & { readonly guard: { readonly kind: 'open' } };
  readonly serve: (request: Request, env: Env, requestId: string) => Promise<Response>;
}

export type PublicRoute = KeyRoute | OpenRoute;

export function keyRoute<E extends PublicEndpoint>(endpoint: E, answer: CallHandler<NoInfer<E>>): KeyRoute {
  const { body, limits } = endpoint;
  return { endpoint, bodies: body === undefined ? null : new CallBodies(body, limits.values), answer };
}

/** The routes of one path by method. */
export type PathRoutes = ReadonlyMap<string, PublicRoute>;

/** Finds the routes of a path. Those of key calls may end in a slash. A method GET includes HEAD. */
export class PublicPaths {
  readonly #exact = new Map<string, Map<string, PublicRoute>>();
  /** Of paths with parameters; asked only where no path is equal. */
  readonly #patterns: { readonly pattern: RegExp; readonly routes: PathRoutes }[] = [];

  constructor(routes: readonly PublicRoute[]) {
    for (const route of routes) this.#add(route);
  }

  find(path: string): PathRoutes | undefined {
    return this.#exact.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path))?.routes;
  }

  #add(route: PublicRoute): void {
    const { path, method } = route.endpoint;
    const methods = this.#exact.get(path) ?? new Map<string, PublicRoute>();
    if (methods.size === 0 && path.includes('/:')) {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`);
      this.#patterns.push({ pattern, routes: methods });
    }
    methods.set(method, route);
    if (method === 'GET') methods.set('HEAD', route);
    this.#exact.set(path, methods);
    if ('answer' in route) this.#exact.set(`${path}/`, methods);
  }
}
