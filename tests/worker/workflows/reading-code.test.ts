// Code is read, and loaded once, when it is saved: in a dynamic worker, within limits. What was kept then serves everything later.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Workflow } from '#contracts/console/workflows';
import { READING_PROGRAMS } from '#lab/hostile/hostile-programs';
import { sha256Hex } from '#runtime/hash';
import { expectConsole } from '#tests/support/expect-console';
import { expectRefused } from '#tests/support/refusals';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { runCode } from '#tests/support/workflow-runs';
import { workflowTenant } from '#tests/support/workflows';
import { openDatabase } from '#worker/db/database';
import { workflow } from '#worker/db/schema/workflows';
import { makeLoadableCode } from '#worker/domains/workflow-code/make-loadable-code';
import { readInLoader } from '#worker/domains/workflow-code/sandbox/read-in-loader';

const db = openDatabase(env.DB);
const CODE = "export default () => ['pro']";
const NO_LOADER = { ...env, LOADER: undefined };
const DEEP = `export default () => { ${'{'.repeat(120)}${'}'.repeat(120)} return ['pro']; }`;

let tenant: Tenant;
let saved: Workflow;

beforeAll(async () => {
  tenant = await newTenant();
  saved = await newWorkflow(tenant);
});

const newWorkflow = (of: Tenant) =>
  of.make<Workflow>('POST', '/workflows', { name: 'Reading', type: 'dynamic-provisioning' });
const save = (of: Tenant, { id }: Workflow, compiled: string) =>
  of.call('PUT', `/workflows/${id}`, { source: compiled.slice(0, 1_000), compiled });

describe('saving', () => {
  const refused = Object.entries({
    'a scope of 40,000 names': 'Line 1: A scope declares more than 5,000 names',
    '600 blocks around 40,000 variables': 'Line 1: Blocks and functions are nested more than 100 deep',
    '25,000 named groups': 'Line 1: A regular expression has more than 100 named groups',
    '40,000 functions': 'Line 1: The code has more than 10,000 functions and loops',
    // What the language allows and V8 does not.
    'a function of 65,535 parameters':
      'Line 1: Too many parameters in function definition (only 65534 allowed)',
  });
  test.each(refused)('refuses %s, and names the field', async (name, message) => {
    const compiled = READING_PROGRAMS[name] ?? '';
    const answer = await tenant.call<object>('PUT', `/workflows/${saved.id}`, { source: '', compiled });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ issues: [{ path: 'compiled', message }] });
  });

  test.each([
    ['65,526 arguments', `export default () => Math.max(${'0,'.repeat(65_525)}0)`],
    ['a comment of HTML', 'export default () => 1 <!-- 2\n;'],
    ['an expression of 66,000 groups', `export default () => /${'()'.repeat(66_000)}/`],
  ])('refuses what only V8 refuses: %s', async (_what, compiled) => {
    const answer = await tenant.call<{ issues: object[] }>('PUT', `/workflows/${saved.id}`, {
      source: '',
      compiled,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([{ path: 'compiled', message: expect.stringMatching(/^Line 1: \S/) }]);
  });

  test('stores nothing of code that is refused', async () => {
    const body = { source: '', compiled: 'export default (input => 1' };
    expect(await expectRefused(tenant, 400, 'PUT', `/workflows/${saved.id}`, body)).toEqual([
      'compiled: Line 1: Unexpected token',
    ]);
  });

  test('evaluates nothing: code that would never end when it is loaded is saved', async () => {
    expect((await save(tenant, saved, 'export default () => [];\nlet a = 0; while (a === 0);')).status).toBe(
      200,
    );
  });

  test('is refused above 30 times a minute, naming the field and when to try again', async () => {
    const own = await newTenant();
    const { id } = await newWorkflow(own);
    const body = { source: '', compiled: 'export default 1' };
    const path = `/api/orgs/${own.orgId}/workflows/${id}`;
    const answers = await Promise.all(
      Array.from({ length: 61 }, () => own.user.fetch(path, { method: 'PUT', json: body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    const limited = answers.find(({ status }) => status === 429);
    const message = 'An organisation can save code 30 times a minute. Try again in a minute.';
    expect(await limited?.json()).toMatchObject({
      errorType: 'rate-limited',
      message,
      issues: [{ path: 'compiled', message }],
    });
    expect(limited?.headers.get('retry-after')).toBe('60');
  });
});

describe('what was read when code was saved', () => {
  test('is all that publishing needs: it has no loader', async () => {
    await save(tenant, saved, CODE);
    const { workflows } = await makeLoadableCode(NO_LOADER, tenant, [{ id: saved.id, compiled: CODE }]);
    expect(workflows).toMatchObject([{ workflowId: saved.id, module: expect.stringContaining('step()') }]);
  });

  test('is missing for code of an earlier release, which is read when it is first needed, and kept', async () => {
    const compiled = `${CODE} // of an earlier release`;
    const code = [{ id: 'wf_old', compiled }];
    expectConsole('error', /workflows cannot run/);
    await expect(makeLoadableCode(NO_LOADER, tenant, code)).rejects.toMatchObject({
      errorType: 'unavailable',
    });
    const { hash } = await makeLoadableCode(env, tenant, code);
    expect((await makeLoadableCode(NO_LOADER, tenant, code)).hash).toBe(hash);
  });

  test('belongs to its organisation', async () => {
    const key = `reading-1-${await sha256Hex(CODE)}`;
    expect(await env.ARTIFACTS.head(`artifacts/${tenant.orgId}/${key}`)).not.toBeNull();
    expect(await env.ARTIFACTS.head(`artifacts/${(await newTenant()).orgId}/${key}`)).toBeNull();
  });
});

test('code of an earlier release that could not be saved today still runs, and what V8 refuses stops no other', async () => {
  const { tenant: own, create, publish, check } = await workflowTenant();
  const old = await create('Old', 'export default () => []');
  const broken = await create('Broken', 'export default () => []');
  const write = (id: string, compiled: string) =>
    db.run(sql`UPDATE ${workflow} SET compiled = ${compiled}, compiled_source = source WHERE id = ${id}`);
  await write(old.id, DEEP);
  await write(broken.id, READING_PROGRAMS['a function of 65,535 parameters'] ?? '');
  await own.make('POST', '/plans', { name: 'Changes the workspace', slug: 'changes' });
  await publish();
  const answer = await check();
  expect(answer.customer.plans).toContain('pro');
  expect(answer.warnings).toMatchObject([{ code: 'workflow-failed' }]);
});

test('code of an earlier release runs also while it cannot be read in time, and nothing is kept of it', async () => {
  const compiled = `${CODE} // that is not read in time`;
  const broken = () => Promise.reject(new Error('Worker exceeded CPU time limit.'));
  const loader = { get: () => ({ getEntrypoint: () => ({ read: broken, load: broken }) }) };
  const code = [{ id: 'wf_slow', compiled }];
  const slow = { ...env, LOADER: loader as unknown as WorkerLoader };
  expect((await makeLoadableCode(slow, tenant, code)).workflows).toMatchObject([{ module: compiled }]);
  expect((await makeLoadableCode(env, tenant, code)).workflows).toMatchObject([
    { module: expect.stringContaining('step()') },
  ]);
});

test('an answer of the reader is awaited no longer than it may take', async () => {
  const loader = {
    get: () => ({ getEntrypoint: () => ({ read: () => new Promise<string>(() => {}) }) }),
  } as unknown as WorkerLoader;
  const request = { owner: 'late', compiled: CODE, timeoutMs: 20 };
  await expect(readInLoader(loader, request)).rejects.toThrow('No answer within 20 ms');
});

test('readers of two organisations are two dynamic workers, without network and bindings', async () => {
  const loaded: [string | null, WorkerLoaderWorkerCode][] = [];
  const loader = {
    get(name: string, code: () => WorkerLoaderWorkerCode) {
      loaded.push([name, code()]);
      return { getEntrypoint: () => ({ read: () => Promise.resolve('{}') }) };
    },
  } as unknown as WorkerLoader;
  for (const owner of ['one', 'other'])
    await readInLoader(loader, { owner, compiled: CODE, timeoutMs: 1_000 });
  expect(new Set(loaded.map(([name]) => name)).size).toBe(2);
  for (const [, code] of loaded) {
    expect(code).toMatchObject({ env: {}, globalOutbound: null, limits: { cpuMs: 1_000, subRequests: 0 } });
  }
});

test('the local process runs, reads and loads code for nobody without its secret', async () => {
  for (const path of ['/run', '/read', '/load']) {
    for (const authorization of ['', 'Bearer ', 'Bearer wrong']) {
      const response = await fetch(`${inject('workflowRunnerUrl')}${path}`, {
        method: 'POST',
        body: '{}',
        headers: { authorization },
      });
      expect(response.status).toBe(401);
      await response.body?.cancel();
    }
  }
});

test.each([
  ["const e = new Error('x'); e.stack = 'at w0.js:4000:1'; throw e;", 'Error: x'],
  ["const e = new Error('x'); e.stack = 'at w0.js:3:1'; throw e;", 'Error: x'],
  ["const e = new Error('x'); e.stack = 'at w0.js:0:1'; throw e;", 'Error: x'],
  ["throw new Error('x');", 'Line 2: Error: x'],
])('an error names no line that the code does not have: %s', async (statement, reason) => {
  const [outcome] = await runCode([`export default () => {\n${statement} }`]);
  expect(outcome).toMatchObject({ status: 'failed', reason });
});
