/** Finds what the workspace has of a template, and refuses one that has something else. */
import type { Workspace } from '#engine/artifacts/compile-artifact';
import type { Db } from '#worker/db/database';
import { readWorkspace } from '#worker/domains/publishing/reads';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';
import { TEMPLATES, type Template } from './templates.ts';

export interface OwnItems {
  /** Ids, by slug. */
  readonly featureIds: ReadonlyMap<string, string>;
  /** Ids, by the feature's slug and the property's key. System properties included. */
  readonly propertyIds: ReadonlyMap<string, string>;
  /** Ids, by slug. */
  readonly planIds: ReadonlyMap<string, string>;
  /** Ids of plans that set values. */
  readonly filledPlanIds: ReadonlySet<string>;
}

export const propertyPath = (feature: string, key: string) => `${feature}.${key}`;

/** @throws {ApiError} conflict */
export async function findOwnItems(db: Db, scope: Scope, template: Template): Promise<OwnItems> {
  const state = await readWorkspace(db, scope);
  if (state === null) throw notFound('The organisation');
  const { features, properties, plans, planValues } = state.workspace;
  const featureIds = new Map<string, string>();
  const propertyIds = new Map<string, string>();
  for (const wanted of template.features) {
    const found = features.find(({ slug }) => slug === wanted.slug);
    if (found === undefined) continue;
    featureIds.set(wanted.slug, found.id);
    for (const { id, key, type, isSystem } of properties.filter(({ featureId }) => featureId === found.id)) {
      const isOwn =
        isSystem || wanted.properties.some((each) => each.propertyKey === key && each.type === type);
      if (!isOwn) throw ownWork();
      propertyIds.set(propertyPath(wanted.slug, key), id);
    }
  }
  const ownFeatures = new Set(featureIds.values());
  const planIds = new Map<string, string>();
  const filledPlanIds = new Set<string>();
  for (const { slug } of template.plans) {
    const found = plans.find((each) => each.slug === slug);
    if (found === undefined) continue;
    planIds.set(slug, found.id);
    const values = planValues.filter(({ planId }) => planId === found.id);
    if (values.some(({ featureId }) => !ownFeatures.has(featureId))) throw ownWork();
    if (values.length > 0) filledPlanIds.add(found.id);
  }
  ensureIsOfTemplates(state.workspace);
  return { featureIds, propertyIds, planIds, filledPlanIds };
}

const SLUGS = new Set(
  Object.values(TEMPLATES).flatMap(({ features, plans }) => [...features, ...plans].map(({ slug }) => slug)),
);

/** A version has everything in the workspace, and nobody's own work reaches Production with an example. */
function ensureIsOfTemplates({ features, plans, workflows }: Workspace): void {
  const isOwn = workflows.length === 0 && [...features, ...plans].every(({ slug }) => SLUGS.has(slug));
  if (!isOwn) throw ownWork();
}

function ownWork(): ApiError {
  return new ApiError(
    'conflict',
    'An example is deployed to Production together with everything in the workspace, and this one has features, plans or workflows of your own. Create another organisation to try an example.',
  );
}
