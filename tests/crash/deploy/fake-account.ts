// A Cloudflare account as far as a deployment calls its API. It records every call, and keeps what is stored and applied.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AccountState {
  readonly queues: Set<string>;
  /** Names, those of a jurisdiction with it: `tessera-artifacts (eu)`. */
  readonly buckets: Set<string>;
  /** Null: the Worker does not exist yet. */
  secrets: Set<string> | null;
  readonly objects: Map<string, Buffer>;
  readonly migrations: string[];
}

export interface FakeAccount {
  /** For CLOUDFLARE_API_BASE_URL. */
  readonly url: string;
  readonly state: AccountState;
  /** `METHOD /path` of each call, in order. */
  readonly calls: string[];
  close(): Promise<void>;
}

type Answer = readonly [status: number, result: unknown, message?: string] | Buffer;

export async function startFakeAccount(state: AccountState): Promise<FakeAccount> {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://account');
    const path = url.pathname.replace(/^\/client\/v4\/accounts\/[^/]+/, '');
    const body = await readBody(request);
    const jurisdiction = request.headers['cf-r2-jurisdiction'];
    const call = { method: request.method ?? '', path, query: url.searchParams, body };
    calls.push(`${call.method} ${path}${jurisdiction === undefined ? '' : ` (${jurisdiction})`}`);
    if (path.endsWith('/query'))
      calls.push(`  ${(JSON.parse(String(body)) as { sql: string }).sql.slice(0, 60)}`);
    const answer = answerTo(state, {
      ...call,
      place: jurisdiction === undefined ? '' : ` (${jurisdiction})`,
    });
    if (Buffer.isBuffer(answer)) return response.end(answer);
    const [status, result, message] = answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    const errors = message === undefined ? [] : [{ code: status === 404 ? 10007 : 10000, message }];
    const result_info = { page: 1, per_page: 100, total_pages: 1, count: 0, total_count: 0 };
    return response.end(JSON.stringify({ success: status < 400, errors, messages: [], result, result_info }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/client/v4`,
    state,
    calls,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly place: string;
}

function answerTo(state: AccountState, { method, path, query, body, place }: Call): Answer {
  const [, area = '', rest = ''] = /^\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  if (area === 'client') return [200, []];
  if (area === 'queues' && method === 'GET' && rest === '') {
    if (Number(query.get('page') ?? 1) > 1) return [200, []];
    const asked = query.getAll('name');
    const names = [...state.queues].filter((name) => asked.length === 0 || asked.includes(name));
    return [200, names.map((name) => ({ queue_name: name, queue_id: `id-${name}`, ...QUEUE }))];
  }
  if (area === 'queues') return [200, method === 'GET' ? [] : {}];
  if (area === 'r2') return bucketAnswer(state, { method, rest, body, place });
  if (area === 'd1') return databaseAnswer(state, rest, body);
  if (area === 'workers' && rest.endsWith('/secrets')) {
    if (state.secrets === null) return [404, null, 'This Worker does not exist on your account.'];
    return [200, [...state.secrets].map((name) => ({ name, type: 'secret_text' }))];
  }
  if (area === 'workers' && rest.endsWith('/assets-upload-session'))
    return [200, { jwt: 'done', buckets: [] }];
  if (area === 'workers' && method === 'GET' && rest.startsWith('services/')) {
    if (state.secrets === null) return [404, null, 'This Worker does not exist on your account.'];
    return [
      200,
      { default_environment: { environment: 'production', script: { last_deployed_from: 'wrangler' } } },
    ];
  }
  return [200, DONE];
}

/** Enough for what wrangler reads of a Worker's versions, deployments and routes. */
const DONE = {
  id: 'version-1',
  deployments: [],
  items: [],
  bindings: [],
  startup_time_ms: 1,
  deployment_id: 'deployment-1',
  entry_point: 'index.js',
  subdomain: { enabled: false, previews_enabled: false },
  schedules: [],
};
const QUEUE = {
  producers_total_count: 0,
  consumers_total_count: 0,
  producers: [],
  consumers: [],
  settings: {},
};

function bucketAnswer(
  state: AccountState,
  { method, rest, body, place }: Pick<Call, 'method' | 'body' | 'place'> & { readonly rest: string },
): Answer {
  const [, bucket = '', key] = /^buckets\/([^/]+)(?:\/objects\/(.+))?$/.exec(rest) ?? [];
  const name = `${bucket}${place}`;
  if (!state.buckets.has(name)) return [404, null, 'The specified bucket does not exist.'];
  if (key === undefined) return [200, { name: bucket, location: 'WEUR', storage_class: 'Standard' }];
  const object = `${name}/${decodeURIComponent(key)}`;
  if (method === 'PUT') state.objects.set(object, body);
  return method === 'PUT'
    ? [200, {}]
    : (state.objects.get(object) ?? [404, null, 'The specified key does not exist.']);
}

/** Migrations are what is inserted into wrangler's table of them. */
function databaseAnswer({ migrations }: AccountState, rest: string, body: Buffer): Answer {
  if (!rest.endsWith('/query'))
    return [200, { uuid: 'f0000000-0000-4000-8000-000000000001', name: 'tessera', version: 'production' }];
  const { sql } = JSON.parse(String(body)) as { sql: string };
  const names = [...sql.matchAll(/INSERT INTO "?d1_migrations"? \(name\)\s*values \('([^']+)'\)/gi)].map(
    ([, name]) => name ?? '',
  );
  migrations.push(...names);
  const isRead = /^\s*SELECT \*/i.test(sql);
  const results = isRead ? migrations.map((name, id) => ({ id, name, applied_at: '2026-01-01' })) : [];
  return [200, [{ results, success: true, meta: { duration: 0 } }]];
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
