// A record and a handler are all that a public call needs: what serves it follows from them.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keyed } from '#contracts/public/endpoint';
import { countedEnv } from '#tests/support/counted-env';
import { newTenant, publishAll } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';
import { servePublicApi } from '#worker/domains/access/calls/handle-public-api';
import type { PublicAnswer } from '#worker/domains/access/calls/public-call';
import { keyRoute } from '#worker/domains/access/calls/public-routes';

const echoes = '/api/v1/echoes';
const record = {
  summary: 'Repeats what it is sent',
  limits: { bytes: 40, values: 4 },
  recordedAs: null,
} as const;
const read = keyed.get(echoes, record);
const write = keyed.post(echoes, {
  ...record,
  secretKeyOnly: 'Echoing requires a secret key',
  body: z.strictObject({ word: z.string() }),
});

const says = (body: object): PublicAnswer => ({
  text: JSON.stringify(body),
  recordedBody: null,
  ledgerMs: 0,
  outcome: null,
});
const handler = servePublicApi([
  keyRoute(read, ({ query }) => says({ query })),
  keyRoute(write, async (_, { value }) => says(value)),
]);

const { env, counts } = countedEnv();
let secret: string;
let open: string;
beforeAll(async () => {
  const tenant = await newTenant();
  const id = await tenant.previewId();
  await newWorkspace(tenant);
  secret = (await tenant.key(id)).value;
  open = (await tenant.key(id, 'public')).value;
  await publishAll(tenant);
});

async function call(method: string, key: string, body?: object, path: string = echoes) {
  const context = createExecutionContext();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await handler(new Request(`http://localhost:4001${path}`, init), env, context);
  await waitOnExecutionContext(context);
  return response;
}

describe('a public call', () => {
  it('is authenticated, limited and answered, with a body or without, and not recorded unless its record says so', async () => {
    const echo = await call('POST', secret, { word: 'once' });
    expect([echo.status, await echo.json()]).toEqual([200, { word: 'once' }]);
    expect(echo.headers.get('ratelimit-limit')).toMatch(/^\d+$/);
    const plain = await call('GET', open, undefined, `${echoes}/?a=1`);
    expect([plain.status, await plain.json()]).toEqual([200, { query: 'a=1' }]);
    expect((await call('GET', 'tsr_sec_nobody')).status).toBe(401);
    expect(counts.streams + counts.queues).toBe(0);
  });

  it('is refused as its record says: by body, size, values and type of key', async () => {
    expect((await call('POST', secret, { words: 'once' })).status).toBe(400);
    expect((await call('POST', secret, { word: 'x'.repeat(40) })).status).toBe(413);
    expect((await call('POST', secret, { word: [1, 2, 3, 4] })).status).toBe(400);
    const refused = await call('POST', open, { word: 'once' });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ errorType: 'forbidden', message: 'Echoing requires a secret key' }),
    ]);
  });

  it('has its methods in preflights and in the refusal of others', async () => {
    const preflight = await call('OPTIONS', '');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS');
    const refused = await call('DELETE', secret);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    expect(await refused.json()).toMatchObject({
      message: 'DELETE /api/v1/echoes is not supported. Use GET or POST.',
    });
    expect((await call('GET', secret, undefined, '/api/v1/access-checks')).status).toBe(404);
  });
});
