// D1 refusing writes is a 503 that says what to do; wrong statements stay a 500.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { ORIGIN } from '#tests/support/accounts';
import { expectConsole } from '#tests/support/expect-console';
import { newTenant, type Tenant } from '#tests/support/tenants';
import type { Env } from '#worker/env';
import worker from '#worker/index';

/** The bindings with a D1 that answers reads, and fails every other statement. */
function readOnlyEnv(message: string): Env {
  const refused = new Set<unknown>();
  const fail = async () => {
    throw new Error(message);
  };
  const statement = { run: fail, all: fail, raw: fail, first: fail, bind: () => statement };
  refused.add(statement);
  const DB = {
    prepare: (text: string) => (/^\s*select/i.test(text) ? env.DB.prepare(text) : statement),
    batch: (statements: D1PreparedStatement[]) =>
      statements.some((each) => refused.has(each)) ? fail() : env.DB.batch(statements),
  };
  return { ...env, DB: DB as unknown as D1Database };
}

async function call(bindings: Env, tenant: Tenant, method: string, path: string, body?: object) {
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(`${ORIGIN}/api/orgs/${tenant.orgId}${path}`, {
      method,
      headers: { origin: ORIGIN, cookie: tenant.user.cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }) as never,
    bindings,
    context,
  );
  await waitOnExecutionContext(context);
  return response;
}

const FEATURE = { name: 'Exports', slug: 'exports' };

it.each([
  'D1_ERROR: database or disk is full: SQLITE_FULL',
  'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY',
  'D1_ERROR: Exceeded maximum DB size',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
])('the console answers 503 and when to try again: %s', async (message) => {
  const tenant = await newTenant();
  const bindings = readOnlyEnv(message);
  expectConsole('error', /request failed/);
  const response = await call(bindings, tenant, 'POST', '/features', FEATURE);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await response.json()).toMatchObject({
    errorType: 'unavailable',
    message: expect.stringMatching(/try again/),
  });
  expect((await call(bindings, tenant, 'GET', '/features')).status).toBe(200);
});

it('a statement that can never succeed is a 500', async () => {
  const tenant = await newTenant();
  expectConsole('error', /request failed/);
  const bindings = readOnlyEnv('D1_ERROR: no such column: slog at offset 7: SQLITE_ERROR');
  const response = await call(bindings, tenant, 'POST', '/features', FEATURE);
  expect([response.status, response.headers.get('retry-after')]).toEqual([500, null]);
});
