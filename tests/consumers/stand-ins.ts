// What the guides' code imports of frameworks that are too large to install for it: as much of them as it uses.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../dev/tools/run-tool.ts';

const EXPRESS = `
import { createServer } from 'node:http';
export default function express() {
  const routes = [];
  const add = (method) => (path, handler) => void routes.push({ method, path, handler });
  const handle = async (request, response) => {
    request.get = (name) => request.headers[name];
    response.status = (code) => Object.assign(response, { statusCode: code });
    response.send = (text) => response.end(text);
    const { handler } = routes.find(({ method, path }) => method === request.method && path === request.url);
    await handler(request, response, (error) => response.status(500).send(String(error)));
  };
  return { get: add('GET'), post: add('POST'), listen: (port) => createServer(handle).listen(port, '127.0.0.1') };
}`;

const EXPRESS_TYPES = `
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
export interface Request extends IncomingMessage { get(name: string): string | undefined }
interface Response extends ServerResponse { status(code: number): this; send(text: string): this }
type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;
export default function express(): {
  get(path: string, handler: Handler): unknown;
  post(path: string, handler: Handler): unknown;
  listen(port: number): Server;
};`;

const FASTIFY = `
import { createServer } from 'node:http';
export default function Fastify() {
  const routes = [];
  const closing = [];
  const add = (method) => (path, options, handler = options) => void routes.push({ method, path, handler, preHandler: options.preHandler });
  const server = createServer(async (raw, response) => {
    const { handler, preHandler } = routes.find(({ method, path }) => method === raw.method && path === raw.url);
    const request = { raw, headers: raw.headers };
    let isSent = false;
    const reply = {
      raw: response,
      hijack: () => void (isSent = true),
      code: (status) => Object.assign(reply, (response.statusCode = status, {})),
      send: (body) => {
        isSent = true;
        response.end(JSON.stringify(body));
        return reply;
      },
    };
    await preHandler?.(request, reply);
    if (isSent) return;
    const body = await handler(request, reply);
    if (!isSent) reply.send(body);
  });
  return {
    server,
    get: add('GET'),
    post: add('POST'),
    addHook: (name, hook) => void closing.push(hook),
    listen: ({ port }) => new Promise((done) => server.listen(port, '127.0.0.1', done)),
    close: async () => {
      server.close();
      for (const hook of closing) await hook();
    },
  };
}`;

const FASTIFY_TYPES = `
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
export interface FastifyRequest { readonly raw: IncomingMessage; readonly headers: IncomingMessage['headers'] }
export interface FastifyReply { readonly raw: ServerResponse; hijack(): void; code(status: number): this; send(body: unknown): this }
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
interface Routes { (path: string, handler: Handler): unknown; (path: string, options: { preHandler: Handler }, handler: Handler): unknown }
export default function Fastify(): {
  readonly server: Server;
  readonly get: Routes;
  readonly post: Routes;
  addHook(name: 'onClose', hook: () => Promise<void>): unknown;
  listen(options: { port: number }): Promise<unknown>;
  close(): Promise<void>;
};`;

/** The test puts the request's cookies into a global. */
const HEADERS = `export const cookies = async () => ({ get: (name) => globalThis.requestCookies?.[name] });`;
const HEADERS_TYPES = `export declare function cookies(): Promise<{ get(name: string): { value: string } | undefined }>;`;

/** Vite's variables in the guides for browsers. */
const ENVIRONMENT = `
interface ImportMeta { readonly env: { readonly VITE_TESSERA_URL: string; readonly VITE_TESSERA_PUBLIC_KEY: string } }
declare module '@openfeature/ofrep-provider' {
  import type { Provider } from '@openfeature/server-sdk';
  export const OFREPProvider: new (options: { baseUrl: string; headers: Record<string, string> }) => Provider;
}`;

/** As the console's editor declares it for plans of the documented workspace. */
const WORKFLOW_RESULT = `
type PlanSlug = 'free' | 'team';
type WorkflowResult = PlanSlug[] | { plans: PlanSlug[]; mode: 'add' | 'replace' };`;

const exported = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });

export function writeStandIns(folder: string): void {
  const modules = {
    express: { name: 'express', exports: { '.': exported('index') } },
    fastify: { name: 'fastify', exports: { '.': exported('index') } },
    next: { name: 'next', exports: { './headers': exported('headers') } },
  };
  for (const [name, manifest] of Object.entries(modules)) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    const text = JSON.stringify({ ...manifest, version: '0.0.0', type: 'module' });
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), text);
  }
  const files = {
    'node_modules/express/index.js': EXPRESS,
    'node_modules/express/index.d.ts': EXPRESS_TYPES,
    'node_modules/fastify/index.js': FASTIFY,
    'node_modules/fastify/index.d.ts': FASTIFY_TYPES,
    'node_modules/next/headers.js': HEADERS,
    'node_modules/next/headers.d.ts': HEADERS_TYPES,
    'environment.d.ts': ENVIRONMENT,
    'workflow-input.d.ts': readFileSync(join(root, 'web/domains/workflows/code/workflow-input.d.ts'), 'utf8'),
    'workflow-result.d.ts': WORKFLOW_RESULT,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}
