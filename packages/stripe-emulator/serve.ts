// The emulator's HTTP server: Stripe's API below /v1, the control API below /_emulator, HTML pages elsewhere.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { handleControlRequest } from './control/control-api.ts';
import type { Emulator } from './core/emulator.ts';
import { brokenServer } from './core/stripe-error.ts';
import { handleApiRequest } from './http/handle-api-request.ts';
import { handlePage } from './pages/handle-page.ts';

const maxBodyBytes = 2_000_000;

export function serve(emulator: Emulator): Server {
  const server = createServer((request, response) => {
    answer(emulator, request, response).catch((error: unknown) => {
      console.error('The Stripe emulator failed:', error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: brokenServer().body }));
    });
  });
  server.keepAliveTimeout = 65_000;
  return server;
}

async function answer(emulator: Emulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413).end();
    return;
  }
  if (url.startsWith('/v1/') || url.startsWith('/v2/')) {
    const header = (name: string) => single(request.headers[name]);
    const answered = await handleApiRequest(emulator, { method, url, header, body });
    if (answered === null) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answered.status, answered.headers).end(answered.body);
    return;
  }
  const { pathname, searchParams } = new URL(url, 'http://emulator');
  // CSRF: pages of other sites may not call the emulator.
  if (method !== 'GET' && request.headers['sec-fetch-site'] === 'cross-site') {
    response.writeHead(403).end();
    return;
  }
  if (pathname.startsWith('/_emulator')) {
    const parsed = parseJson(body);
    const { status, body: answered } = handleControlRequest(emulator, {
      method,
      path: pathname,
      query: searchParams,
      body: parsed,
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
    return;
  }
  const shown = handlePage(emulator, {
    method,
    path: pathname,
    query: searchParams,
    form: new URLSearchParams(body),
  });
  response.writeHead(shown.status, shown.headers).end(shown.body);
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > maxBodyBytes) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** An empty object for an empty or malformed body. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
