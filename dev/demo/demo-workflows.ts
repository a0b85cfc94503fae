// Workflows of the demo organisation, one of each type, and their seed. Type annotations are erased in place, so line numbers of source
// and compiled code match.
import { stripTypeScriptTypes } from 'node:module';
import type { Feature } from '#contracts/console/features';
import { type WorkflowType, workflowEndpoints } from '#contracts/console/workflows';
import { createWorkflow, getItem, type Workspace } from '../workspace/build-workspace.ts';

interface DemoWorkflow {
  readonly name: string;
  readonly description: string;
  readonly type: WorkflowType;
  /** Slug; for feature behaviour. */
  readonly feature?: string;
  readonly source: string;
}

const demoWorkflows: readonly DemoWorkflow[] = [
  {
    name: 'Trial for new customers',
    description: 'Team for the first 14 days, until they subscribe.',
    type: 'dynamic-provisioning',
    source: `const TRIAL_DAYS = 14;
const DAY = 24 * 60 * 60 * 1000;

export default function workflow({ customer, now }: WorkflowInput): WorkflowResult {
  if (customer.createdAt === null || customer.productIds.length > 0) return [];
  const days = Math.floor((now - customer.createdAt) / DAY);
  console.log(\`Customer for \${days} days, without a subscription\`);
  return days < TRIAL_DAYS ? ['team'] : [];
}
`,
  },
  {
    name: 'Support hours in Europe',
    description: 'The Berlin office replies within a day.',
    type: 'feature-behaviour',
    feature: 'support',
    source: `export default function workflow({ place, feature }: WorkflowInput): WorkflowResult {
  if (place.continent !== 'EU') return {};
  return { firstAnswerHours: Math.min(feature.values.firstAnswerHours, 24) };
}
`,
  },
];

export async function ensureWorkflows(workspace: Workspace, features: readonly Feature[]): Promise<void> {
  const { session, orgId } = workspace;
  const present = await session.call(workflowEndpoints.list, { params: { orgId } });
  for (const { feature, ...workflow } of demoWorkflows) {
    const { source, name } = workflow;
    const code = { source, compiled: stripTypeScriptTypes(source) };
    const featureId = feature === undefined ? null : getItem(features, ({ slug }) => slug === feature).id;
    const found = present.find((each) => each.name === name);
    if (found === undefined) await createWorkflow(workspace, { ...workflow, featureId, ...code });
    if (found === undefined || found.isCompiled) continue;
    await session.call(workflowEndpoints.update, { params: { orgId, workflowId: found.id }, body: code });
  }
}
