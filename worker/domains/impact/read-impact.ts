/** What a deployment would change for known customers: who loses, who gains, and what stays. Nothing is recorded or counted. */
import { type Impact, type ImpactChange, MAX_CHANGES, MAX_NAMES_OF_CHANGE } from '#contracts/console/impact';
import { CHANGE_KINDS, isSwitch, leadingChanges, worstKind } from '#engine/entitlements/compare-resolutions';
import type { PreparedCost } from '#engine/entitlements/prepared-artifact';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { changedWorkflows } from './changed-workflows.ts';
import { type ComparedGroup, compareCustomers } from './compare-customers.ts';
import { type ComparedVersions, findVersions } from './find-versions.ts';
import { judgeByUsage } from './judge-by-usage.ts';

/** @param toArtifactId undefined: the workspace @throws {ApiError} not-found */
export async function readImpact(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  toArtifactId: string | undefined,
): Promise<Impact> {
  return impactOf(ctx, scope, await findVersions(ctx, scope, environmentId, toArtifactId));
}

export async function impactOf(
  ctx: RequestContext,
  scope: Scope,
  { from, to, rules }: ComparedVersions,
): Promise<Impact> {
  const { groups: compared, notCompared } =
    from === null
      ? { groups: [], notCompared: 0 }
      : await compareCustomers(ctx, scope, rules, from.content, to.content);
  const { groups, readings } = await judgeByUsage(ctx, scope, rules.environmentId, compared);
  const changes = changesOf(groups);
  const sizeOf = (...kinds: (string | undefined)[]) =>
    groups.reduce((sum, { size, changes: own }) => sum + (kinds.includes(worstKind(own)) ? size : 0), 0);
  return {
    fromArtifactNumber: from?.number ?? null,
    toArtifactNumber: to.number,
    asOf: ctx.now,
    customers: groups.reduce((sum, { size }) => sum + size, 0),
    customersThatLose: sizeOf('loses'),
    customersWithLess: sizeOf('less'),
    customersThatChange: sizeOf('changes'),
    customersWithMore: sizeOf('more', 'gains'),
    kept: groups
      .flatMap((group) => (group.changes.length === 0 ? namesOf(group, MAX_NAMES_OF_CHANGE) : []))
      .slice(0, MAX_NAMES_OF_CHANGE),
    notCompared,
    readings,
    changes: changes.slice(0, MAX_CHANGES),
    changesLeft: Math.max(0, changes.length - MAX_CHANGES),
    changedWorkflows: from === null ? [] : changedWorkflows(from.content, to.content).map(({ name }) => name),
  };
}

function namesOf(
  { customers, plans }: ComparedGroup,
  most: number,
  { used = null, held }: { readonly used?: number | null; readonly held?: number | undefined } = {},
) {
  const usage = { used, ...(held !== undefined && { held }) };
  return customers.slice(0, most).map((each) => ({ ...each, plans: [...plans], ...usage }));
}

function namedCost(cost: PreparedCost | null) {
  if (cost === null) return null;
  const { payer, thousandths } = cost;
  return { path: `${payer.feature.slug}.${payer.property.key}`, per: thousandths / 1000 };
}

/** The worst kinds first, and of each kind those of the most customers. */
function changesOf(groups: readonly ComparedGroup[]): ImpactChange[] {
  const changes = new Map<string, ImpactChange>();
  for (const group of groups) {
    const { changes: all, size } = group;
    for (const change of leadingChanges(all)) {
      const { used = null, held, kind, property: changed, before, after, opened } = change;
      const { feature, property } = changed;
      const costs = change.costs && {
        before: namedCost(change.costs.before),
        after: namedCost(change.costs.after),
      };
      // Customers with other limits pay the same.
      const key = JSON.stringify([kind, property.id, opened, ...(costs ? [costs] : [before, after])]);
      const known = changes.get(key) ?? {
        kind,
        featureName: feature.name,
        propertyId: property.id,
        propertyName: property.name,
        path: `${feature.slug}.${property.key}`,
        isFeature: isSwitch(changed),
        before,
        after,
        ...(costs && { costs }),
        ...(opened && { opened }),
        customers: 0,
        names: [],
      };
      const free = MAX_NAMES_OF_CHANGE - known.names.length;
      const names = namesOf(group, free, { used, held });
      changes.set(key, {
        ...known,
        customers: known.customers + size,
        names: [...known.names, ...names],
      });
    }
  }
  const rankOf = ({ kind }: ImpactChange) => CHANGE_KINDS.indexOf(kind);
  return [...changes.values()].sort(
    (one, other) => rankOf(one) - rankOf(other) || other.customers - one.customers,
  );
}
