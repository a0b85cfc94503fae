// Workflows as part of the workspace: what may be saved, what is refused and how, and what versions contain.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Artifact, Diff } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import {
  MAX_CODE_BYTES,
  MAX_TOTAL_CODE_BYTES,
  type Workflow,
  type WorkflowSummary,
} from '#contracts/console/workflows';
import type { ErrorBody } from '#contracts/public/errors';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { replicaStub } from '#objects/stubs';
import { expectOneOfTwoEdits, expectRefused } from '#tests/support/refusals';
import { auditRows, expectUnchanged, storedWorkspace } from '#tests/support/stored-state';
import { enableLocations, newTenant, publishAll, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant();
});

const newWorkflow = (body: object = {}) =>
  tenant.make<Workflow>('POST', '/workflows', { name: 'Trial', type: 'dynamic-provisioning', ...body });

const refused = (status: number, method: string, path: string, body?: unknown) =>
  expectRefused(tenant, status, method, path, body);

describe('a workflow', () => {
  test('is created enabled and without code, and listed without its code', async () => {
    const workflow = await newWorkflow({ name: '  Route trials ', description: '  ' });
    expect(workflow).toMatchObject({
      name: 'Route trials',
      description: null,
      type: 'dynamic-provisioning',
      featureId: null,
      enabled: true,
      source: '',
      compiled: null,
      isDraft: true,
      isCompiled: false,
      disabledIn: [],
    });
    const path = `/workflows/${workflow.id}`;
    expect(await tenant.make('GET', path)).toEqual(workflow);
    const { source, compiled, ...summary } = workflow;
    expect(await tenant.make<WorkflowSummary[]>('GET', '/workflows')).toContainEqual(summary);
  });

  test('for a feature stays when the feature is deleted', async () => {
    const doomed = await tenant.make<Feature>('POST', '/features', { name: 'Doomed', slug: 'doomed' });
    const workflow = await newWorkflow({ type: 'feature-behaviour', featureId: doomed.id });
    expect(workflow.featureId).toBe(doomed.id);
    await tenant.call('DELETE', `/features/${doomed.id}`);
    expect(await tenant.make('GET', `/workflows/${workflow.id}`)).toEqual(workflow);
  });

  test.each<[string, object, string[]]>([
    ['no name', { type: 'dynamic-provisioning' }, ['name: Required']],
    ['a short name', { name: 'ab', type: 'dynamic-provisioning' }, ['name: Must be at least 3 characters']],
    [
      'a long description',
      { name: 'Fine', type: 'dynamic-provisioning', description: 'x'.repeat(1001) },
      ['description: Must be at most 1,000 characters'],
    ],
    [
      'an unknown type',
      { name: 'Fine', type: 'integration' },
      ['type: Must be one of dynamic-provisioning, feature-behaviour'],
    ],
    ['no feature', { name: 'Fine', type: 'feature-behaviour' }, ['featureId: Feature is required']],
    [
      'null for the feature',
      { name: 'Fine', type: 'feature-behaviour', featureId: null },
      ['featureId: Feature is required'],
    ],
    [
      'a feature that does not exist',
      { name: 'Fine', type: 'feature-behaviour', featureId: 'feat_none' },
      ['featureId: Unknown feature'],
    ],
    [
      'a feature for provisioning',
      { name: 'Fine', type: 'dynamic-provisioning', featureId: 'feat_none' },
      ['featureId: Dynamic provisioning has no feature'],
    ],
    [
      'code',
      { name: 'Fine', type: 'dynamic-provisioning', source: 'export default 1' },
      ['source: Unknown property'],
    ],
  ])('is refused with %s, naming the field', async (_, body, issues) => {
    expect(await refused(400, 'POST', '/workflows', body)).toEqual(issues);
  });

  test("is refused with another organisation's feature, as with an unknown one", async () => {
    const other = await newTenant();
    const theirs = await other.make<Feature>('POST', '/features', { name: 'Theirs', slug: 'theirs' });
    const body = { name: 'Fine', type: 'feature-behaviour', featureId: theirs.id };
    expect(await refused(400, 'POST', '/workflows', body)).toEqual(['featureId: Unknown feature']);
  });

  test('changes only in the fields sent, and not at all if nothing differs', async () => {
    const workflow = await newWorkflow({ description: 'Stays' });
    const path = `/workflows/${workflow.id}`;
    const edit = { name: 'Renamed', enabled: false, updatedAt: workflow.updatedAt };
    const changed = await tenant.make<Workflow>('PUT', path, edit);
    expect(changed).toMatchObject({ name: 'Renamed', enabled: false, description: 'Stays' });
    expect(changed.updatedAt).toBeGreaterThan(workflow.updatedAt);
    await expectUnchanged(tenant, async () => {
      expect(await tenant.make('PUT', path, {})).toEqual(changed);
      expect(await tenant.make('PUT', path, edit)).toEqual(changed);
    });
  });

  test('keeps a source without compiled code as a draft', async () => {
    const { id } = await newWorkflow();
    const source = "export default () => ['protfolio'] // 🚀\n";
    const draft = await tenant.make<Workflow>('PUT', `/workflows/${id}`, { source });
    expect(draft).toMatchObject({ source, compiled: null, isDraft: true, isCompiled: false });
  });

  test.each<[string, object, string[]]>([
    ['a source that is no text', { source: 1 }, ['source: Must be text']],
    ['NUL', { source: 'a\0b' }, ['source: Must not contain NUL characters']],
    ['half a character', { source: 'abc\ud800' }, ['source: Contains invalid Unicode']],
    ['too long a source', { source: 'x'.repeat(MAX_CODE_BYTES + 1) }, ['source: Must be at most 256 KB']],
    ['too many bytes', { source: 'ü'.repeat(MAX_CODE_BYTES / 2 + 1) }, ['source: Must be at most 256 KB']],
    ['compiled code alone', { compiled: 'export default 1' }, ['source: Required with compiled']],
    ['another type', { type: 'feature-behaviour' }, ['type: Unknown property']],
    ['another feature', { featureId: 'feat_none' }, ['featureId: Unknown property']],
  ])('is not changed by %s', async (_, body, issues) => {
    const { id } = await newWorkflow();
    expect(await refused(400, 'PUT', `/workflows/${id}`, body)).toEqual(issues);
  });

  test('edited by two people: the second gets a conflict with the current source', async () => {
    const workflow = await newWorkflow();
    const path = `/workflows/${workflow.id}`;
    const won = await expectOneOfTwoEdits(tenant, path, workflow.updatedAt, [
      { source: '// hers' },
      { source: '// his' },
    ]);
    expect(await tenant.make('GET', path)).toEqual(won);
  });

  test('is deleted once; a second delete returns not found', async () => {
    const { id } = await newWorkflow();
    expect((await tenant.call('DELETE', `/workflows/${id}`)).status).toBe(204);
    await refused(404, 'GET', `/workflows/${id}`);
    await refused(404, 'DELETE', `/workflows/${id}`);
    await refused(404, 'PUT', `/workflows/${id}`, { name: 'Too late' });
    expect(JSON.stringify(await storedWorkspace(tenant))).not.toContain(id);
  });
});

describe('code that compiles', () => {
  const code = (slug: string) => ({
    source: `export default (): WorkflowResult => ['${slug}'];`,
    compiled: `export default () => ['${slug}'];`,
  });
  const lastDiff = (own: Tenant) => own.make<Diff>('GET', '/artifacts/last-diff');

  test('is saved with its source, and stays when a later source is a draft', async () => {
    const { id } = await newWorkflow();
    const path = `/workflows/${id}`;
    const saved = await tenant.make<Workflow>('PUT', path, code('one'));
    expect(saved).toMatchObject({ ...code('one'), isDraft: false, isCompiled: true });
    await expectUnchanged(tenant, async () => {
      expect(await tenant.make('PUT', path, code('one'))).toEqual(saved);
    });
    const draft = await tenant.make<Workflow>('PUT', path, { source: '// later' });
    expect(draft).toMatchObject({ source: '// later', compiled: code('one').compiled, isDraft: true });
    // Another source may compile to the same code.
    const again = await tenant.make<Workflow>('PUT', path, {
      source: '// later',
      compiled: code('one').compiled,
    });
    expect(again).toMatchObject({ source: '// later', isDraft: false });
  });

  test('is refused if it is no workflow, naming the line', async () => {
    const { id } = await newWorkflow();
    const body = { source: 'import', compiled: 'export default () => [];\nimport "https://example.com";' };
    const [issue] = await refused(400, 'PUT', `/workflows/${id}`, body);
    expect(issue).toMatch(/^compiled: Line 2: /);
  });

  test('is limited in size for all workflows of an organisation together', async () => {
    const own = await newTenant();
    const { id } = await own.make<Workflow>('POST', '/workflows', {
      name: 'Small',
      type: 'dynamic-provisioning',
    });
    await env.DB.prepare(
      `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 4)
       INSERT INTO workflow (id, org_id, name, type, compiled_source, compiled, created_at, updated_at)
       SELECT ?1 || n, ?1, 'Large', 'dynamic-provisioning', hex(zeroblob(?2)), hex(zeroblob(?2)), 1, 1 FROM series`,
    )
      .bind(own.orgId, MAX_TOTAL_CODE_BYTES / 16)
      .run();
    const messages = await expectUnchangedMessage(own, `/workflows/${id}`, code('one'));
    expect(messages).toBe('The code of all workflows together can have at most 1 MB');
  });

  test('is in versions while the workflow is enabled and its feature exists, and a rollback brings it back', async () => {
    const own = await newTenant();
    await enableLocations(own, 'weur');
    const feature = await own.make<Feature>('POST', '/features', { name: 'Seats', slug: 'seats' });
    const live = await own.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
    const route = await own.make<Workflow>('POST', '/workflows', {
      name: 'Route',
      type: 'dynamic-provisioning',
    });
    const limit = await own.make<Workflow>('POST', '/workflows', {
      name: 'Limit',
      type: 'feature-behaviour',
      featureId: feature.id,
    });
    await own.make('PUT', `/workflows/${limit.id}`, {
      source: 'export default () => ({})',
      compiled: 'export default () => ({});',
    });
    await own.make('PUT', `/workflows/${route.id}`, code('one'));
    const first = await own.make<Artifact>('POST', '/artifacts', {});
    await own.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: first.artifactId });

    await own.make('PUT', `/workflows/${route.id}`, code('two'));
    const { items } = await lastDiff(own);
    expect(items).toEqual([
      {
        type: 'modify',
        itemType: 'workflow',
        itemName: 'Route',
        itemId: route.id,
        property: null,
        changes: [
          { path: 'compiled', from: code('one').compiled, to: code('two').compiled },
          { path: 'source', from: code('one').source, to: code('two').source },
        ],
      },
    ]);
    await own.make('PUT', `/workflows/${route.id}`, { source: '// a draft changes no version' });
    expect((await lastDiff(own)).items).toEqual(items);
    const second = await own.make<Artifact>('POST', '/artifacts', {});
    await own.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: second.artifactId });

    await publishAll(own);
    expect(await workflowsIn(await own.previewId())).toContainEqual([route.id, code('two').compiled]);
    await own.make('PUT', `/workflows/${route.id}`, { enabled: false });
    await own.call('DELETE', `/features/${feature.id}`);
    const removed = (await lastDiff(own)).items.filter(({ itemType }) => itemType === 'workflow');
    expect(removed.map(({ type, itemName }) => `${type} ${itemName}`)).toEqual([
      'remove Route',
      'remove Limit',
    ]);

    await publishAll(own);
    expect(await workflowsIn(await own.previewId())).toEqual([]);
    expect(await workflowsIn(live.id)).toContainEqual([route.id, code('two').compiled]);
    await own.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: first.artifactId });
    await publishAll(own);
    expect(await workflowsIn(live.id)).toContainEqual([route.id, code('one').compiled]);
  });
});

/** The workflows that the environment's replicas serve, with their code. */
async function workflowsIn(environmentId: string): Promise<[string, string][]> {
  const answer = await (await replicaStub(env, environmentId, 'weur')).pull(-1);
  const content = answer.kind === 'snapshot' ? answer.snapshot.artifact?.content : undefined;
  const { workflows } = JSON.parse(content ?? '{"workflows":[]}') as Pick<ArtifactContent, 'workflows'>;
  return workflows.map(({ id, compiled }) => [id, compiled]);
}

/** The message of a refused change, which leaves nothing behind. */
async function expectUnchangedMessage(own: Tenant, path: string, body: object): Promise<string> {
  let message = '';
  await expectUnchanged(own, async () => {
    const answer = await own.call<ErrorBody>('PUT', path, body);
    expect(answer.status).toBe(409);
    message = answer.body.message;
  });
  return message;
}

test('every change of a workflow is in the audit log, without its code', async () => {
  const own = await newTenant();
  const { id } = await own.make<Workflow>('POST', '/workflows', {
    name: 'Trial',
    type: 'dynamic-provisioning',
  });
  const path = `/workflows/${id}`;
  await own.make('PUT', path, { enabled: false });
  await own.make('PUT', path, { source: '// secret sauce' });
  await own.make('PUT', path, { source: '// secret sauce' });
  await own.call('DELETE', path);
  const row = { actorUserId: own.user.userId, targetId: id };
  expect((await auditRows(own)).filter(({ action }) => action.startsWith('workflow.'))).toEqual([
    {
      ...row,
      action: 'workflow.created',
      detail: { name: 'Trial', type: 'dynamic-provisioning', featureId: null },
    },
    {
      ...row,
      action: 'workflow.changed',
      detail: { changes: [{ field: 'enabled', from: true, to: false }] },
    },
    { ...row, action: 'workflow.changed', detail: { changes: [{ field: 'source' }] } },
    { ...row, action: 'workflow.deleted', detail: { name: 'Trial', type: 'dynamic-provisioning' } },
  ]);
});
