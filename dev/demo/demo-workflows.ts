// Workflows of the demo organisation, one of each type, and their seed. Type annotations are erased in place, so line numbers of source
// and compiled code match.
import { stripTypeScriptTypes } from 'node:module';
import type { Feature } from '#contracts/console/features';
import { type WorkflowType, workflowEndpoints } from '#contracts/console/workflows';
import { getItem, type Workspace } from '../workspace/workspace.ts';

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

export async function ensureWorkflows(
  { session, orgId }: Workspace,
  features: readonly Feature[],
): Promise<void> {
  const params = { orgId };
  const present = await session.call(workflowEndpoints.list, { params });
  for (const { name, description, type, feature, source } of demoWorkflows) {
    const featureId = feature === undefined ? null : getItem(features, ({ slug }) => slug === feature).id;
    const workflow =
      present.find((each) => each.name === name) ??
      (await session.call(workflowEndpoints.create, {
        params,
        body: { name, description, type, featureId },
      }));
    if (workflow.isCompiled) continue;
    const body = { source, compiled: stripTypeScriptTypes(source) };
    await session.call(workflowEndpoints.update, { params: { orgId, workflowId: workflow.id }, body });
  }
}
