// Saved tests: inputs with the result that the code is expected to return. They run on what is saved and on what would be deployed,
// and block nothing.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import { MAX_WORKFLOW_TESTS, type VersionTests, type WorkflowTest } from '#contracts/console/workflow-tests';
import type { Workflow } from '#contracts/console/workflows';
import { dayOf } from '#engine/usage/calendar';
import { expectRefused } from '#tests/support/refusals';
import { auditTrail, expectUnchanged } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { workflowInput } from '#tests/support/workflows';
import { MAX_TRIAL_CODES } from '#worker/domains/workflows/limit-trial-runs';
import { runSavedTests } from '#worker/domains/workflows/run-saved-tests';
import { workContext } from '#worker/http/make-work-context';

/** Returns the plan in the customer's metadata. */
const CODE = 'export default ({ customer }) => ({ plans: [customer.metadata.plan], mode: "add" })';
const THROWS = 'export default () => { throw new Error("no plan today") }';

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant();
});

async function newWorkflow(of = tenant): Promise<Workflow> {
  const { id } = await withoutCode(of);
  return of.make('PUT', `/workflows/${id}`, { source: CODE, compiled: CODE });
}

const withoutCode = (of = tenant) =>
  of.make<Workflow>('POST', '/workflows', { name: 'Trial', type: 'dynamic-provisioning' });
const inputWith = (plan: string) =>
  workflowInput({ customer: { ...workflowInput().customer, metadata: { plan } } });
const bodyOf = (plan: string, expected: unknown = { mode: 'add', plans: [plan] }) => ({
  name: `Customer on ${plan}`,
  input: inputWith(plan),
  seed: 'req_1',
  expected,
});
const pathOf = ({ id }: Workflow) => `/workflows/${id}/tests`;
const add = (workflow: Workflow, body: object, of = tenant) =>
  of.make<WorkflowTest>('POST', pathOf(workflow), body);
const list = (workflow: Workflow, of = tenant) => of.make<WorkflowTest[]>('GET', pathOf(workflow));
const save = ({ id }: Workflow, compiled: string) =>
  tenant.make('PUT', `/workflows/${id}`, { source: compiled, compiled });
const counts = async ({ id }: Workflow) => (await tenant.make<Workflow>('GET', `/workflows/${id}`)).tests;
const statuses = async (workflow: Workflow) => (await list(workflow)).map(({ status }) => status);

describe('a test', () => {
  test('runs on the saved code as soon as it is added, whatever the order of the keys, and is counted in the list', async () => {
    const workflow = await newWorkflow();
    const added = await add(workflow, bodyOf('pro'));
    expect(added).toMatchObject({
      ...bodyOf('pro'),
      workflowId: workflow.id,
      createdByUserId: tenant.user.userId,
    });
    await expect.poll(() => counts(workflow)).toEqual({ passed: 1, failed: 0, notRun: 0 });
    const [listed] = await list(workflow);
    expect(listed).toMatchObject({
      id: added.id,
      status: 'passed',
      message: null,
      ranAt: expect.any(Number),
    });
  });

  test('added by several at once is one, and each of them gets it', async () => {
    const workflow = await newWorkflow();
    const added = await Promise.all([1, 2, 3].map(() => add(workflow, bodyOf('pro'))));
    expect(new Set(added.map(({ id }) => id)).size).toBe(1);
    expect(await list(workflow)).toHaveLength(1);
  });

  test('runs again on each save, and says what was expected and what came out', async () => {
    const workflow = await newWorkflow();
    await add(workflow, bodyOf('pro'));
    await expect.poll(() => statuses(workflow)).toEqual(['passed']);
    await save(workflow, 'export default () => ["other"]');
    await expect.poll(() => statuses(workflow)).toEqual(['failed']);
    expect(await list(workflow)).toMatchObject([
      {
        message: 'The result differs from what the test expects',
        expected: bodyOf('pro').expected,
        result: ['other'],
      },
    ]);
    await save(workflow, THROWS);
    await expect.poll(async () => (await list(workflow))[0]?.message ?? '').toContain('no plan today');
    expect(await counts(workflow)).toEqual({ passed: 0, failed: 1, notRun: 0 });
    await save(workflow, CODE);
    await expect.poll(() => statuses(workflow)).toEqual(['passed']);
  });

  test('stays as it is when a draft or a detail is saved', async () => {
    const workflow = await newWorkflow();
    await add(workflow, bodyOf('pro'));
    await expect.poll(() => statuses(workflow)).toEqual(['passed']);
    const [before] = await list(workflow);
    await tenant.make('PUT', `/workflows/${workflow.id}`, { source: '// draft' });
    await tenant.make('PUT', `/workflows/${workflow.id}`, { name: 'Renamed' });
    expect(await list(workflow)).toEqual([before]);
  });

  test('added again changes nothing; with another result it expects that one', async () => {
    const workflow = await newWorkflow();
    const first = await add(workflow, bodyOf('pro'));
    await expect.poll(() => statuses(workflow)).toEqual(['passed']);
    await expectUnchanged(tenant, async () => {
      expect((await add(workflow, bodyOf('pro'))).id).toBe(first.id);
      await Promise.all([add(workflow, bodyOf('pro')), add(workflow, bodyOf('pro'))]);
    });
    const changed = await add(workflow, bodyOf('pro', null));
    expect(changed).toMatchObject({ id: first.id, expected: null });
    await expect.poll(() => statuses(workflow)).toEqual(['failed']);
    expect(await list(workflow)).toHaveLength(1);
    expect((await auditTrail(tenant)).filter(({ targetId }) => targetId === first.id)).toEqual([
      { action: 'workflow-test.added', targetId: first.id },
      { action: 'workflow-test.changed', targetId: first.id },
    ]);
  });

  test('is deleted, once, and with its workflow', async () => {
    const workflow = await newWorkflow();
    const { id } = await add(workflow, bodyOf('pro'));
    await add(workflow, bodyOf('max'));
    expect((await tenant.call('DELETE', `${pathOf(workflow)}/${id}`)).status).toBe(204);
    await expectRefused(tenant, 404, 'DELETE', `${pathOf(workflow)}/${id}`);
    expect((await list(workflow)).map(({ name }) => name)).toEqual(['Customer on max']);
    await tenant.call('DELETE', `/workflows/${workflow.id}`);
    await expectRefused(tenant, 404, 'GET', pathOf(workflow));
    const left = await env.DB.prepare('SELECT count(*) AS count FROM workflow_test WHERE workflow_id = ?')
      .bind(workflow.id)
      .first('count');
    expect(left).toBe(0);
  });

  test('is refused beyond the twentieth, also of those that are added at once', async () => {
    const workflow = await withoutCode();
    const answers = await Promise.all(
      Array.from({ length: MAX_WORKFLOW_TESTS + 3 }, (_, index) =>
        tenant.call('POST', pathOf(workflow), bodyOf(`plan-${index}`)),
      ),
    );
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(await list(workflow)).toHaveLength(MAX_WORKFLOW_TESTS);
    // One that exists already is still changed.
    const [{ input, seed, name } = {}] = await list(workflow);
    expect((await tenant.call('POST', pathOf(workflow), { input, seed, name, expected: [] })).status).toBe(
      201,
    );
  });

  test.each<[string, object, string[]]>([
    ['no name', { name: undefined }, ['name: Required']],
    ['no expected result', { expected: undefined }, ['expected: Required']],
    [
      'an input with an unknown field',
      { input: { ...workflowInput(), secret: 1 } },
      ['input.secret: Unknown property'],
    ],
    ['too large an input', { input: inputWith('x'.repeat(500)) }, []],
    ['too large a result', { expected: ['ü'.repeat(8 * 1024)] }, ['expected: Must be at most 16 KB']],
    [
      'an input of many entries',
      { input: workflowInput({ feature: { slug: 'f', values: { long: 'x'.repeat(17_000) }, meters: {} } }) },
      ['input: Must be at most 16 KB'],
    ],
  ])('with %s is refused only for a reason that names the field', async (_, change, issues) => {
    const workflow = await withoutCode();
    const body = { ...bodyOf('pro'), ...change };
    if (issues.length === 0) expect((await tenant.call('POST', pathOf(workflow), body)).status).toBe(201);
    else expect(await expectRefused(tenant, 400, 'POST', pathOf(workflow), body)).toEqual(issues);
  });

  test("of another organisation's workflow can be neither read, added, run nor deleted", async () => {
    const workflow = await withoutCode();
    const { id } = await add(workflow, bodyOf('pro'));
    const other = await newTenant();
    await expectRefused(other, 404, 'GET', pathOf(workflow));
    await expectRefused(other, 404, 'POST', pathOf(workflow), bodyOf('pro'));
    await expectRefused(other, 404, 'POST', `${pathOf(workflow)}/run`);
    await expectRefused(other, 404, 'DELETE', `${pathOf(workflow)}/${id}`);
  });
});

describe('a test that cannot run', () => {
  test('is not run, which is no failure, and what is known of the same code stays', async () => {
    const workflow = await newWorkflow();
    await add(workflow, bodyOf('pro'));
    await expect.poll(() => statuses(workflow)).toEqual(['passed']);
    let calls = 0;
    const late = workContext(env, Date.now);
    const ctx = { ...late, clock: () => Date.now() + 60_000 * calls++ };
    expect(await runSavedTests(ctx, tenant, workflow.id, 'all')).toMatchObject([{ status: 'passed' }]);
    await env.DB.prepare('UPDATE workflow_test SET status = NULL WHERE workflow_id = ?')
      .bind(workflow.id)
      .run();
    expect(await runSavedTests(ctx, tenant, workflow.id)).toMatchObject([
      { status: 'not-run', message: 'The tests together took too long' },
    ]);
    expect(await counts(workflow)).toEqual({ passed: 0, failed: 0, notRun: 1 });
    expect(await tenant.make('POST', `${pathOf(workflow)}/run`)).toMatchObject([{ status: 'passed' }]);
  });

  test('because of the day’s limit of different codes says so', async () => {
    const other = await newTenant();
    const workflow = await newWorkflow(other);
    const numbers = JSON.stringify(Array.from({ length: MAX_TRIAL_CODES }, (_, index) => index));
    // The code was saved on an earlier day.
    await env.DB.prepare('DELETE FROM workflow_trial_code WHERE org_id = ?').bind(other.orgId).run();
    await env.DB.prepare(
      "INSERT INTO workflow_trial_code (org_id, day_at, hash) SELECT ?, ?, 'code ' || value FROM json_each(?)",
    )
      .bind(other.orgId, dayOf(Date.now()), numbers)
      .run();
    await add(workflow, bodyOf('pro'), other);
    await expect.poll(async () => (await list(workflow, other))[0]?.status).toBe('not-run');
    expect((await list(workflow, other))[0]?.message).toContain('300 different codes a day');
  });
});

test('results of code that was replaced meanwhile are dropped', async () => {
  const workflow = await newWorkflow();
  await add(workflow, bodyOf('pro'));
  await expect.poll(() => statuses(workflow)).toEqual(['passed']);
  const ctx = workContext(env, Date.now);
  const replaceCode = () =>
    env.DB.batch([
      env.DB.prepare('UPDATE workflow SET compiled = ? WHERE id = ?').bind(
        'export default () => []',
        workflow.id,
      ),
      env.DB.prepare('UPDATE workflow_test SET status = NULL WHERE workflow_id = ?').bind(workflow.id),
    ]);
  const db = new Proxy(ctx.db, {
    get: (target, key) =>
      key === 'batch'
        ? async (statements: never) => {
            await replaceCode();
            return target.batch(statements);
          }
        : (Reflect.get(target, key) as unknown),
  });
  await runSavedTests({ ...ctx, db }, tenant, workflow.id, 'all');
  expect(await statuses(workflow)).toEqual([null]);
});

test('the tests of a version run on its code, not on the workspace’s, and name what fails there', async () => {
  const own = await newTenant();
  const [healthy, changing] = [await newWorkflow(own), await newWorkflow(own)];
  await add(healthy, bodyOf('pro'), own);
  await add(changing, bodyOf('pro'), own);
  await add(changing, bodyOf('max'), own);
  const before = await own.make<Artifact>('POST', '/artifacts', {});
  const compiled =
    'export default ({ customer }) => customer.metadata.plan === "pro" ? [] : { mode: "add", plans: ["max"] }';
  await own.make('PUT', `/workflows/${changing.id}`, { source: compiled, compiled });
  const after = await own.make<Artifact>('POST', '/artifacts', {});
  const run = ({ artifactId }: Artifact) =>
    own.make<VersionTests>('POST', `/artifacts/${artifactId}/workflow-tests/run`);
  expect(await run(before)).toEqual({ passed: 3, problems: [] });
  const failed = await run(after);
  expect(failed).toMatchObject({
    passed: 2,
    problems: [
      {
        workflowId: changing.id,
        workflowName: 'Trial',
        name: 'Customer on pro',
        status: 'failed',
        expected: bodyOf('pro').expected,
        result: [],
      },
    ],
  });
  await own.call('DELETE', `/workflows/${changing.id}`);
  expect(await run(after)).toEqual({ passed: 1, problems: [] });
  await expectRefused(own, 404, 'POST', '/artifacts/art_none/workflow-tests/run');
  await expectRefused(tenant, 404, 'POST', `/artifacts/${after.artifactId}/workflow-tests/run`);
});
