/**
 * Adds a template to the workspace and deploys it, by the use cases that people call one by one. Each step looks for what exists,
 * so a call that is repeated, or that follows one that ended half-way, adds what is missing.
 */
import type { AppliedTemplate, TemplateId } from '#contracts/console/templates';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { addExampleCustomer, CUSTOMER, CUSTOMER_WITHOUT_PLAN } from './add-example-customer.ts';
import { deployTemplate, ensureIsDeployable } from './deploy-template.ts';
import { fillWorkspace } from './fill-workspace.ts';
import { findOwnItems } from './find-own-items.ts';
import { ensureKey, findEnvironments, prepareEnvironments } from './prepare-environments.ts';
import { TEMPLATES, type Template } from './templates.ts';

/**
 * A concurrent call may create what this one is about to create; it is found on the next try, after a growing pause in which the other
 * gets ahead. A conflict that names nothing may also be a limit, which does not go away.
 */
const MAX_TRIES = { named: 8, other: 3 };
const FIRST_PAUSE_MS = 100;

/**
 * @throws {ApiError} forbidden for platform staff; conflict where the workspace has anything that is of no template, where a deployed version
 * would get other changes as well, and at the workspace's limits; unavailable while no data location has the version
 */
export async function applyTemplate(
  ctx: RequestContext,
  scope: MemberScope,
  id: TemplateId,
): Promise<AppliedTemplate> {
  ensureIsMember(scope, 'add templates');
  const template = TEMPLATES[id];
  for (let tries = 1; ; tries++) {
    try {
      return { template: id, ...(await applyOnce(ctx, scope, template)) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.errorType !== 'conflict') throw error;
      const { issues, current } = error.detail;
      if (tries >= MAX_TRIES[issues || current ? 'named' : 'other']) throw error;
      await scheduler.wait(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}

async function applyOnce(
  ctx: RequestContext,
  scope: MemberScope,
  template: Template,
): Promise<Omit<AppliedTemplate, 'template'>> {
  // Everything that can refuse comes before the first change.
  const before = await findOwnItems(ctx.db, scope, template);
  for (const each of await findEnvironments(ctx.db, scope))
    await ensureIsDeployable(ctx, scope, each, before);

  const environments = await prepareEnvironments(ctx, scope);
  const keys: Awaited<ReturnType<typeof ensureKey>>[] = [];
  for (const { id } of environments) keys.push(await ensureKey(ctx, scope, id));
  const items = await fillWorkspace(ctx, scope, template);
  await deployTemplate(ctx, scope, environments, items);
  for (const each of environments) await addExampleCustomer(ctx, scope, template, each, items);

  const denials = [
    [template.allowed, null],
    [template.notInPlan, 'not-in-plan'],
    [template.atLimit.feature, 'limit-reached'],
  ] as const;
  return {
    customer: CUSTOMER,
    customerWithoutPlan: CUSTOMER_WITHOUT_PLAN,
    checks: denials.map(([feature, denial]) => ({
      feature,
      featureName: template.features.find(({ slug }) => slug === feature)?.name ?? feature,
      denial,
    })),
    environments: environments.map(({ id, name, type }, index) => ({
      id,
      name,
      type,
      keyId: keys[index]?.id ?? '',
      secretKey: keys[index]?.value ?? '',
    })),
  };
}
