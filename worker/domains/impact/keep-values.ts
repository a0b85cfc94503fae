/**
 * Overrides what customers would lose by a version with what they have, in that environment and for some days. Made before the deployment,
 * so that no check falls between. Repeating it changes nothing: an override replaces that of the same property.
 */
import { type impactEndpoints, MAX_KEPT_CUSTOMERS } from '#contracts/console/impact';
import type { AnswerOf } from '#contracts/public/endpoint';
import { DAY_MS } from '#engine/durations';
import { worstKind } from '#engine/entitlements/compare-resolutions';
import { overrideProperty } from '#worker/domains/customers/entries/override-property';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { compareCustomers, type JudgedChange } from './compare-customers.ts';
import { findVersions } from './find-versions.ts';
import { judgeByUsage } from './judge-by-usage.ts';

/** @throws {ApiError} not-found; invalid-request for the preview; conflict if more than MAX_KEPT_CUSTOMERS would lose something */
export async function keepValues(
  ctx: RequestContext,
  scope: MemberScope,
  environmentId: string,
  { toArtifactId, days }: { readonly toArtifactId: string; readonly days: number },
): Promise<AnswerOf<typeof impactEndpoints.keep>> {
  const { from, to, rules } = await findVersions(ctx, scope, environmentId, toArtifactId);
  if (rules.environmentType === 'preview')
    throw invalidField('envId', 'The preview environment always follows the workspace');
  if (from === null) return { customers: 0, overrides: 0, notKept: [] };
  const compared = await compareCustomers(ctx, scope, rules, from.content, to.content);
  const { groups } = await judgeByUsage(ctx, scope, environmentId, compared.groups);
  const losing = groups.filter(({ changes }) => worstKind(changes) === 'loses');
  const total = losing.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_KEPT_CUSTOMERS) {
    throw new ApiError(
      'conflict',
      `${total} customers would lose something. Values are kept for up to ${MAX_KEPT_CUSTOMERS}.`,
    );
  }
  const until = ctx.now + days * DAY_MS;
  const reason = `Kept as it was before v${to.number}`;
  let overrides = 0;
  const notKept = new Set<string>();
  for (const { customers, changes } of losing) {
    for (const { identifier } of customers) {
      for (const { property, before, after, costs } of changes.filter(isLoss)) {
        const { id: propertyId } = property.property;
        // No override says what something costs.
        const isKept =
          costs === undefined &&
          before !== null &&
          after !== null &&
          (await canOverride(
            overrideProperty(ctx, scope, identifier, {
              propertyId,
              value: before,
              environmentId,
              until,
              reason,
            }),
          ));
        if (isKept) overrides += 1;
        else notKept.add(`${property.feature.name} ${property.property.name}`);
      }
    }
  }
  return { customers: total, overrides, notKept: [...notKept] };
}

function isLoss({ kind }: JudgedChange): boolean {
  return kind === 'loses' || kind === 'less';
}

/** False if the workspace has no such property, or no longer accepts the value. */
async function canOverride(made: Promise<unknown>): Promise<boolean> {
  try {
    await made;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.errorType === 'invalid-request') return false;
    throw error;
  }
}
