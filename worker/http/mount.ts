/**
 * Mounts routes on a Hono app: authorise, parse, call, respond. Authorisation precedes parsing, so that unauthorised
 * callers learn nothing about the input. Knows no domain: the guards are parameters.
 */
import type { Hono } from 'hono';
import type { Endpoint } from '#contracts/public/endpoint';
import type { Env } from '#worker/env';
import { invalidField } from './api-error.ts';
import { parse } from './parse.ts';
import { readJson } from './read-json.ts';
import type { Caller, MemberScope, RequestContext } from './request-context.ts';
import type { Route } from './route.ts';

export interface Guards {
  /** @throws {ApiError} unauthenticated or forbidden */
  readonly user: (ctx: RequestContext) => Promise<Caller>;
  /** @throws {ApiError} not-found for callers who are not members; forbidden without the permission */
  readonly member: (
    ctx: RequestContext,
    orgId: string,
    guard: Extract<Endpoint['guard'], { kind: 'member' }>,
  ) => Promise<MemberScope>;
  /** @throws {ApiError} not-found for callers who are not platform staff */
  readonly sudo: (ctx: RequestContext) => Promise<Caller>;
}

export type AppEnv = { Bindings: Env; Variables: { ctx: RequestContext } };

/** The console's bodies: a plan with thousands of configured properties fits. */
const BODY_LIMITS = { bytes: 1024 * 1024, values: 50_000 };

export function mount(app: Hono<AppEnv>, routes: readonly Route[], guards: Guards): void {
  for (const { endpoint, handler } of routes) {
    app.on(endpoint.method, endpoint.path, async (c) => {
      const ctx = c.get('ctx');
      const params = c.req.param() as Record<string, string>;
      const access = await authorise(guards, endpoint, ctx, params);
      const query = endpoint.query === undefined ? undefined : parse(endpoint.query, readQuery(c.req.url));
      const body =
        endpoint.body === undefined ? undefined : parse(endpoint.body, await readBody(ctx.request, params));
      const answer = await handler({ ctx, params, query, body, ...access } as never);
      if (endpoint.isRaw) return answer as Response;
      if (endpoint.answer === undefined) return c.body(null, 204);
      return c.json(answer as object, endpoint.status ?? 200);
    });
  }
}

async function authorise(
  guards: Guards,
  endpoint: Endpoint,
  ctx: RequestContext,
  params: Record<string, string>,
): Promise<object> {
  const { guard } = endpoint;
  switch (guard.kind) {
    case 'open':
      return {};
    case 'user':
      return { caller: await guards.user(ctx) };
    case 'sudo':
      return { caller: await guards.sudo(ctx) };
    case 'member':
      return { scope: await guards.member(ctx, params.orgId ?? '', guard) };
    case 'key':
      throw new TypeError(`${endpoint.path} is served by handle-public-api.ts, not mounted here`);
  }
}

/** The console also sends the organisation in the query of every mutation; only the path counts. */
function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URL(url).searchParams) {
    if (name !== 'organisationId') query[name] = value;
  }
  return { ...query };
}

async function readBody(request: Request, params: Record<string, string>): Promise<unknown> {
  const body = await readJson(request, BODY_LIMITS);
  if (body === undefined || typeof body !== 'object' || body === null || !('organisationId' in body))
    return body;
  if (params.orgId === undefined) return body;
  const { organisationId, ...rest } = body;
  if (organisationId !== params.orgId)
    throw invalidField('organisationId', 'Must be the organisation in the path');
  return rest;
}
