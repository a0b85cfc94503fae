/** Lists a customer's members for its page: nearest to their limits first, then by what they have used. */
import {
  type customerMemberEndpoints,
  MEMBERS_LISTED,
  MEMBERS_READ,
} from '#contracts/console/customer-members';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Entity, EntityMeter } from '#contracts/public/entities';
import { compareText } from '#engine/text/compare-text';
import { listEntities } from '#worker/domains/customers/entries/list-entities';
import { resolveAlias } from '#worker/domains/customers/entries/resolve-alias';
import type { RequestContext, Scope } from '#worker/http/request-context';

/** @param identifier canonical @throws {ApiError} not-found without such an environment; unavailable */
export async function listMembers(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  environmentId: string,
): Promise<AnswerOf<typeof customerMemberEndpoints.list>> {
  const { customer, facts } = await resolveAlias(ctx.db, scope, environmentId, identifier);
  const inspected = { environmentId, identifier, customer, facts };
  const page = { after: null, limit: MEMBERS_READ };
  const { entities, hasMore, isWhole } = await listEntities(ctx, scope, inspected, page);
  const sorted = entities.toSorted(
    (one, other) =>
      shareOf(other) - shareOf(one) || usedOf(other) - usedOf(one) || compareText(one.id, other.id),
  );
  return {
    members: sorted
      .slice(0, MEMBERS_LISTED)
      .map(({ id, meters }) => ({ id, meters: meters.filter(isShown) })),
    isComplete: !hasMore && sorted.length <= MEMBERS_LISTED,
    isWhole,
  };
}

function isShown({ used, held, limit }: EntityMeter): boolean {
  return used > 0 || held !== undefined || limit !== null;
}

/** Of the limit that is nearest. */
function shareOf({ meters }: Entity): number {
  return Math.max(
    0,
    ...meters.map(({ used, held = 0, limit }) => (limit === null ? 0 : (used + held) / (limit || 1))),
  );
}

function usedOf({ meters }: Entity): number {
  return Math.max(0, ...meters.map(({ used }) => used));
}
