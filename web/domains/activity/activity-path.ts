/** The page of the object that a change is about. */
import type { Activity } from '#contracts/console/activity';
import { paths } from '#web/paths.ts';

/** @returns undefined where the object has no page, or is gone by this very change */
export function activityPath(
  orgId: string,
  { kind, action, targetId, detail }: Activity,
): string | undefined {
  const id = action.startsWith('property.') ? detail.featureId : targetId;
  if (typeof id !== 'string' || (action.endsWith('.deleted') && id === targetId)) return undefined;
  if (action.startsWith('version.deployed') || action === 'version.rolled-back')
    return paths.environment(orgId, id);
  const { environmentId } = detail;
  switch (kind) {
    case 'feature':
      return paths.feature(orgId, id);
    case 'plan':
      return paths.plan(orgId, id);
    case 'workflow':
      return paths.workflow(orgId, typeof detail.workflowId === 'string' ? detail.workflowId : id);
    case 'environment':
      return paths.environment(orgId, id);
    case 'version':
      return paths.environments(orgId, 'versions');
    case 'api-key':
      return typeof environmentId === 'string' ? paths.environment(orgId, environmentId, 'keys') : undefined;
    case 'customer':
      return paths.customer(orgId, id, typeof environmentId === 'string' ? environmentId : undefined);
    case 'integration':
      return action.startsWith('jwt-')
        ? paths.jwtIntegration(orgId, id)
        : paths.stripeIntegration(orgId, id, 'manage');
    default:
      return undefined;
  }
}
