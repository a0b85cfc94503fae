// Names of the workspace that workflows use as text: what a new version would no longer have, and what uses an item.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ItemUses, LostName } from '#contracts/console/names';
import type { Workflow } from '#contracts/console/workflows';
import { withSourceLines } from '#engine/workflows/source-lines';
import { expectRefused } from '#tests/support/refusals';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { newWorkspace, type SmallWorkspace } from '#tests/support/workspaces';
import { readCode } from '#worker/domains/workflow-code/reader/read-code';

let tenant: Tenant;
let workspace: SmallWorkspace;
let workflow: Workflow;

beforeAll(async () => {
  tenant = await newTenant();
  workspace = await newWorkspace(tenant);
  workflow = await newWorkflow('Trial', "export default () =>\n  ['starter', 'unknown']");
});

async function newWorkflow(name: string, compiled: string, body: object = {}): Promise<Workflow> {
  const { id } = await tenant.make<Workflow>('POST', '/workflows', {
    name,
    type: 'dynamic-provisioning',
    ...body,
  });
  return tenant.make('PUT', `/workflows/${id}`, { source: compiled, compiled });
}

const lost = () => tenant.make<LostName[]>('GET', '/artifacts/lost-names');
const uses = (itemType: string, itemId: string) =>
  tenant.make<ItemUses>('GET', `/uses?itemType=${itemType}&itemId=${itemId}`);

describe('literals of code are found', () => {
  const found = async (code: string, names = ['pro', 'max']) =>
    Object.fromEntries(readCode(code).literals.filter(([text]) => names.includes(text)));

  test.each<[string, string, object]>([
    ['in both quotes and plain templates', '[\'pro\', "pro",\n`max`]', { pro: [1], max: [2] }],
    ['however they are escaped', "'\\u0070ro'", { pro: [1] }],
    ['as keys of objects', "({ 'pro': 1 })", { pro: [1] }],
    ['within expressions of templates', `\`a \${ \`max\` } pro\``, { max: [1] }],
    [
      'not in comments, names, regular expressions and longer texts',
      `// 'pro'\npro.max; /'pro'/; 'pro-max'; \`pro\${1}\``,
      {},
    ],
    ['after a division', "const a = { b: 1 }.b / 2; 'pro' / 1", { pro: [1] }],
    ['up to what is no code', "'pro'; @#§ 'max'", { pro: [1] }],
  ])('%s', async (_, code, expected) => {
    expect(await found(code)).toEqual(expected);
  });

  test('with the lines of the TypeScript', async () => {
    expect(await found(withSourceLines("1;\n'pro';\n['pro']", [3, 9, 7]))).toEqual({ pro: [7, 9] });
  });
});

describe('a name that the last version had', () => {
  test('is listed if a workflow uses it and the workspace no longer has it, with the lines and the new slug', async () => {
    expect(await lost()).toEqual([]);
    await tenant.make('POST', '/artifacts', {});
    expect(await lost()).toEqual([]);
    await tenant.make('PUT', `/plans/${workspace.plan.planId}`, { slug: 'entry' });
    expect(await lost()).toEqual([
      {
        name: 'starter',
        itemType: 'plan',
        itemName: workspace.plan.name,
        renamedTo: 'entry',
        workflows: [{ id: workflow.id, name: 'Trial', lines: [2] }],
      },
    ]);
    // Frozen all the same, and the version before it is then this one.
    expect((await tenant.call('POST', '/artifacts', {})).status).toBe(201);
    expect(await lost()).toEqual([]);
  });

  test('is not listed while something else has it', async () => {
    await newWorkflow('Both', "export default () => ['entry']");
    const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', {
      name: 'Other',
      slug: 'other',
    });
    await tenant.make('POST', '/artifacts', {});
    await tenant.make('PUT', `/plans/${workspace.plan.planId}`, { slug: 'starter' });
    expect((await lost()).map(({ name }) => name)).toEqual(['entry']);
    await tenant.make('PUT', `/plans/${planId}`, { slug: 'entry' });
    expect(await lost()).toEqual([]);
  });

  test('of a deleted property and feature has no new slug', async () => {
    const feature = await tenant.make<{ id: string }>('POST', '/features', {
      name: 'Exports',
      slug: 'exports',
    });
    await newWorkflow('Exports', "export default () => ['exports']");
    await tenant.make('POST', '/artifacts', {});
    await tenant.call('DELETE', `/features/${feature.id}`);
    expect(await lost()).toMatchObject([{ name: 'exports', itemType: 'feature', renamedTo: null }]);
  });
});

describe('the uses of', () => {
  test('a plan are the workflows that name it, disabled ones too', async () => {
    const draft = await newWorkflow('Asleep', "export default () => ['starter']");
    await tenant.make('PUT', `/workflows/${draft.id}`, { enabled: false });
    const { workflows, plans, products } = await uses('plan', workspace.plan.planId);
    expect(workflows).toEqual([
      { id: workflow.id, name: 'Trial', lines: [2] },
      { id: draft.id, name: 'Asleep', lines: [1] },
    ]);
    expect({ plans, products }).toEqual({ plans: [], products: [] });
  });

  test('a feature are the plans that set it and the workflows that name or set it; of a property those of the property', async () => {
    const { feature, seats, plan } = workspace;
    const setter = await newWorkflow('Seats', `export default () => ({ '${seats.propertyKey}': 1 })`, {
      type: 'feature-behaviour',
      featureId: feature.id,
    });
    const planUse = [{ id: plan.planId, name: plan.name }];
    expect(await uses('feature', feature.id)).toEqual({
      workflows: [{ id: setter.id, name: 'Seats', lines: [] }],
      plans: planUse,
      products: [],
    });
    expect(await uses('feature-property', seats.id)).toEqual({
      workflows: [{ id: setter.id, name: 'Seats', lines: [1] }],
      plans: planUse,
      products: [],
    });
  });

  test('what does not exist, or is of another organisation, are a 404', async () => {
    await expectRefused(tenant, 404, 'GET', '/uses?itemType=feature&itemId=feat_none');
    const other = await newTenant();
    await expectRefused(other, 404, 'GET', `/uses?itemType=plan&itemId=${workspace.plan.planId}`);
  });
});
