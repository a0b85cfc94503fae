// Every call that the contracts describe is guarded, described once, and served.
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/public/endpoint';
import { publicCalls } from '#contracts/public/public-calls';
import { listFiles, readSource, root } from './source-tree.ts';

interface NamedEndpoint {
  /** As code writes it: featureEndpoints.create */
  name: string;
  endpoint: Endpoint;
}

const endpoints = await readEndpoints();

/** Every export of packages/contracts whose name ends in Endpoints is a collection of endpoint records. */
async function readEndpoints(): Promise<NamedEndpoint[]> {
  const found: NamedEndpoint[] = [];
  for (const path of listFiles(['packages/contracts'])) {
    const contract = (await import(`${root}/${path}`)) as { [name: string]: unknown };
    for (const [collection, records] of Object.entries(contract)) {
      if (!collection.endsWith('Endpoints')) continue;
      for (const [key, endpoint] of Object.entries(records as { [key: string]: Endpoint })) {
        found.push({ name: `${collection}.${key}`, endpoint });
      }
    }
  }
  return found;
}

describe.each(endpoints)('$name', ({ endpoint: { method, path, guard, body, answer, status, isRaw } }) => {
  test('has the guard that its path asks for', () => {
    expect(['open', 'user', 'member', 'sudo', 'key']).toContain(guard.kind);
    if (path.startsWith('/api/orgs/:orgId')) expect(guard.kind).toBe('member');
    if (path.startsWith('/api/v1/')) expect(['key', 'open']).toContain(guard.kind);
    if (path.startsWith('/api/sudo')) expect(guard.kind).toBe('sudo');
    if (guard.kind === 'member') expect(path).toMatch(/^\/api\/orgs\/:orgId(\/|$)/);
  });

  test('is a well-formed record', () => {
    expect(path).toMatch(/^\/(api|ofrep)(\/:?[a-zA-Z0-9.-]+)+$/);
    expect(body !== undefined && (method === 'GET' || method === 'DELETE')).toBe(false);
    if (answer === undefined) expect(status).toBeUndefined();
    if (isRaw) expect(answer).toBeUndefined();
  });
});

test('no two endpoints answer the same call', () => {
  const calls = endpoints.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/:[^/]+/g, ':')}`,
  );
  expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([]);
});

test('every endpoint is served by a domain', () => {
  const serving = listFiles(['worker/domains'])
    .map((path) => readSource(path))
    .join('\n');
  // Those of the public API have a handler each by their types.
  const calls: readonly Endpoint[] = Object.values(publicCalls);
  const isServed = ({ name, endpoint }: NamedEndpoint) =>
    new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(serving) || calls.includes(endpoint);
  expect(endpoints.filter((each) => !isServed(each)).map(({ name }) => name)).toEqual([]);
});
