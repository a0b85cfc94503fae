// Workflows as part of the workspace: what may be saved, what is refused and how, and what versions contain.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '#contracts/console/features';
import { MAX_CODE_BYTES, type Workflow, type WorkflowSummary } from '#contracts/console/workflows';
import { editedByTwo, expectRefused } from '#tests/support/refusals';
import { auditRows, expectUnchanged, storedWorkspace } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';

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
      ['description: Must be at most 1000 characters'],
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
    ['half a character', { source: 'abc\ud800' }, ['source: Must be well-formed text']],
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
    const { won, lost } = await editedByTwo<Workflow>(tenant, path, workflow.updatedAt, [
      { source: '// hers' },
      { source: '// his' },
    ]);
    expect(lost).toMatchObject({ errorType: 'conflict', current: won });
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
    { ...row, action: 'workflow.changed', detail: { fields: ['enabled'] } },
    { ...row, action: 'workflow.changed', detail: { fields: ['source'] } },
    { ...row, action: 'workflow.deleted', detail: { name: 'Trial', type: 'dynamic-provisioning' } },
  ]);
});
