/** Lists a customer's entities for the public API. */
import { ENTITIES_PER_PAGE, type EntitiesAnswer } from '#contracts/public/entities';
import { warningOf } from '#contracts/public/warnings';
import type { PublicCall } from '#worker/domains/access/calls/public-call';
import { listEntities } from '#worker/domains/customers/entries/list-entities';
import { getTarget } from './find-target.ts';
import { contextOf } from './open-provisioning.ts';

/** @throws {ApiError} invalid-request naming customer; not-found; unavailable */
export async function listCustomerEntities(
  call: PublicCall,
  text: string,
  cursor: string | undefined,
): Promise<EntitiesAnswer> {
  const { orgId, environmentId } = call.authenticated.loaded.snapshot;
  const ctx = contextOf(call);
  const { customer, facts } = await getTarget(ctx, { orgId }, environmentId, text);
  const inspected = { environmentId, identifier: customer, customer, facts };
  const page = { after: cursor ?? null, limit: ENTITIES_PER_PAGE };
  const { entities, hasMore, isWhole } = await listEntities(ctx, { orgId }, inspected, page);
  return {
    status: 'success',
    requestId: call.requestId,
    entities: [...entities],
    nextCursor: hasMore ? (entities.at(-1)?.id ?? null) : null,
    warnings: isWhole ? [] : [warningOf('usage-incomplete')],
  };
}
