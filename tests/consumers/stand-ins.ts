// What the guides' code imports of frameworks that are too large to install for it: as much of them as it uses.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** The test puts the request's cookies into a global. */
const HEADERS = `export const cookies = async () => ({ get: (name) => globalThis.requestCookies?.[name] });`;
const HEADERS_TYPES = `export declare function cookies(): Promise<{ get(name: string): { value: string } | undefined }>;`;

/** Vite's variables of the React guide. */
const ENVIRONMENT = `
interface ImportMeta { readonly env: { readonly VITE_TESSERA_URL: string; readonly VITE_TESSERA_PUBLIC_KEY: string } }
declare module '@openfeature/ofrep-provider' {
  import type { Provider } from '@openfeature/server-sdk';
  export const OFREPProvider: new (options: { baseUrl: string; headers: Record<string, string> }) => Provider;
}`;

const exported = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });

export function writeStandIns(folder: string): void {
  const modules = {
    express: { name: 'express', exports: { '.': exported('index') } },
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
    'node_modules/next/headers.js': HEADERS,
    'node_modules/next/headers.d.ts': HEADERS_TYPES,
    'environment.d.ts': ENVIRONMENT,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}
