/** A route of the application that answers browsers for its signed-in user: Next.js, Hono, React Router, Workers, Deno, Bun; `toNode` for Express. */
import { isPassing, RaisedError } from './core/error.ts';
import type { Context, Subject, Tessera } from './index.ts';

export interface HandlerOptions {
  /** Who asks, from a session for example. Null for nobody, who has no features: a browser would log a 401. An organisation’s id, not a person’s, if the organisation pays. */
  readonly identify: (request: Request) => Subject | null | Promise<Subject | null>;
  readonly context?: (request: Request) => Context | undefined;
  /** Slugs of what browsers may see, and nothing else: no plans, no warnings. Default: everything. */
  readonly features?: readonly string[];
}

/** How long a browser takes somebody for signed out without asking again. */
const NOBODY_MS = 60_000;

export type Handler = (request: Request) => Promise<Response>;

export function createHandler(tessera: Tessera, { identify, context, features }: HandlerOptions): Handler {
  return async (request) => {
    if (!/^(GET|HEAD)$/.test(request.method))
      return refuse(405, 'method-not-allowed', { allow: 'GET, HEAD' });
    const on = await identify(request);
    if (on === null) return respond(200, { v: 1, features: {}, asOf: 0, validUntil: NOBODY_MS });
    try {
      const access = await tessera.check(on, { context: context?.(request), signal: request.signal });
      const json = access.toJSON();
      if (features === undefined) return respond(200, json);
      const seen = Object.entries(json.features as object).filter(([slug]) => features.includes(slug));
      // Warnings and plans name what the filter keeps back.
      return respond(200, { ...json, features: Object.fromEntries(seen), warnings: [], customer: null });
    } catch (error) {
      if (!(error instanceof RaisedError)) throw error;
      // What is wrong with the application's key is not for browsers.
      return isPassing(error)
        ? refuse(503, 'unavailable', { 'retry-after': '5' })
        : refuse(500, 'server-error');
    }
  };
}

function respond(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'private, no-store', ...headers } });
}

function refuse(status: number, errorType: string, headers?: Record<string, string>): Response {
  return respond(status, { status: 'error', errorType, message: errorType }, headers);
}

interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}
interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** For Express, Fastify’s raw request, `node:http` and HTTP/2. */
export function toNode(
  handler: Handler,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  return async ({ method = 'GET', url = '/', headers }, response, next) => {
    try {
      // HTTP/2 has the method and the like among them, as names that no Headers take.
      const given = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined || name.startsWith(':') ? [] : [[name, String(value)]],
      );
      const { host = headers[':authority'] ?? 'localhost' } = headers;
      const target = `http://${host}${url}`;
      const answer =
        url.startsWith('/') && URL.canParse(target)
          ? await handler(new Request(target, { method, headers: given as [string, string][] }))
          : refuse(400, 'invalid-request');
      response.statusCode = answer.status;
      answer.headers.forEach((value, name) => {
        response.setHeader(name, value);
      });
      response.end(await answer.text());
    } catch (error) {
      if (next !== undefined) return next(error);
      response.statusCode = 500;
      response.end('');
    }
  };
}
