// An organisation whose preview environment runs workflows.
import type { Workflow } from '#contracts/console/workflows';
import type { WorkflowInput } from '#contracts/internal/workflow-run';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { check } from './access-checks.ts';
import { eventually } from './eventually.ts';
import { newTenant, publishAll, type Tenant } from './tenants.ts';
import { newWorkspace, type SmallWorkspace } from './workspaces.ts';

export interface WorkflowTenant {
  readonly tenant: Tenant;
  readonly environmentId: string;
  /** Secret, of the preview environment. */
  readonly key: string;
  /** Anonymous sessions have the plan `starter`, with 5 seats. The plan `pro` has 50 and is granted to nobody. */
  readonly workspace: SmallWorkspace;
  /** A workflow with this code; without a feature it provisions plans. */
  create(name: string, compiled: string, featureId?: string): Promise<Workflow>;
  setCode(workflow: Pick<Workflow, 'id'>, compiled: string): Promise<void>;
  remove(workflow: Pick<Workflow, 'id'>): Promise<void>;
  /** Publishes the workspace, and waits until checks are answered with it and the runner has its code. */
  publish(): Promise<void>;
  check(body?: unknown): Promise<AccessCheckAnswer>;
}

export async function workflowTenant(): Promise<WorkflowTenant> {
  const tenant = await newTenant();
  const workspace = await newWorkspace(tenant);
  const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', { name: 'Pro', slug: 'pro' });
  await tenant.make('PUT', `/plans/${planId}/versions/1`, {
    properties: { [workspace.feature.id]: [{ id: workspace.seats.id, type: 'number', value: 50 }] },
  });
  const environmentId = await tenant.previewId();
  const key = (await tenant.key(environmentId)).value;
  const setCode = async ({ id }: Pick<Workflow, 'id'>, compiled: string) => {
    await tenant.make('PUT', `/workflows/${id}`, { source: compiled, compiled });
  };
  return {
    tenant,
    environmentId,
    key,
    workspace,
    setCode,
    async create(name, compiled, featureId) {
      const type = featureId === undefined ? 'dynamic-provisioning' : 'feature-behaviour';
      const workflow = await tenant.make<Workflow>('POST', '/workflows', { name, type, featureId });
      await setCode(workflow, compiled);
      return workflow;
    },
    async remove({ id }) {
      await tenant.call('DELETE', `/workflows/${id}`);
    },
    async publish() {
      await publishAll(tenant);
      const { environments } = await tenant.make<{ environments: { artifactId: string }[] }>(
        'GET',
        '/deployments?previewOnly=true',
      );
      const artifactId = environments[0]?.artifactId;
      await eventually(async () => {
        const { version, warnings } = await check(key);
        if (version?.artifactId !== artifactId) throw new Error('An older version answers');
        if (warnings.some(({ code }) => code === 'workflows-unavailable')) throw new Error('No runner');
      });
    },
    check: (body = {}) => check(key, body),
  };
}

/** What code receives of a customer with the plan `starter`. */
export function workflowInput(changes: Partial<WorkflowInput> = {}): WorkflowInput {
  return {
    identity: { isAuthenticated: true, method: 'identifier', identifier: 'ada@tests.example' },
    customer: {
      isCustomer: true,
      id: 'cus_ada',
      email: 'ada@tests.example',
      plans: ['starter'],
      productIds: [],
      metadata: {},
      createdAt: 0,
      subscriptions: [],
    },
    place: { country: 'DE', city: 'Berlin', continent: 'EU', location: 'weur' },
    context: {},
    now: 1_700_000_000_000,
    ...changes,
  };
}
