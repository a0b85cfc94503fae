/**
 * Deletes one of a customer's entities: its own account, in all data locations. What was counted for it stays part of the customer's usage.
 * Once it is committed, the queue repeats it until the ledgers have done it.
 */
import { NOWHERE } from '#engine/access/place';
import { eraseInstant } from '#engine/ledger/erased-entities';
import { inTime } from '#engine/outages/in-time';
import { systemClock } from '#runtime/clock';
import type { EntityDeleted } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { eraseEntity, knowsEntity } from '#worker/domains/metering/erase-entity';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { Refusal } from '#worker/http/api-error';
import type { CustomerScope, PlacedContext, Scope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { outboxDone } from '#worker/queue/outbox';
import { namesOf, type ResolvedCustomer } from './resolve-alias.ts';

/** How long a response waits for the ledgers: the queue goes on. */
const ERASE_WAIT_MS = 2_000;

export interface DeletedEntity {
  readonly environmentId: string;
  readonly entity: string;
}

/** @returns the change; null: nothing is stored of the entity @throws {ApiError} not-found without such an environment; unavailable */
export async function deletionOfEntity(
  ctx: PlacedContext,
  { orgId }: Scope,
  resolved: ResolvedCustomer,
  { environmentId, entity }: DeletedEntity,
): Promise<((scope: CustomerScope) => Promise<void>) | null> {
  const snapshot = await snapshotOf(ctx, orgId, environmentId);
  if (snapshot === null)
    throw new Refusal('not-found', 'environment-unknown', 'The environment could not be found');
  const names = namesOf(resolved);
  if (!(await knowsEntity(ctx.env, snapshot, { names, entity }))) return null;
  const message: EntityDeleted = {
    ...{ type: 'entity.deleted', outboxId: ctx.newId('out'), orgId, environmentId },
    ...{ customers: names, entity, before: eraseInstant(ctx.now) },
  };
  return async (scope) => {
    await change(ctx, scope, {
      write: [],
      audit: {
        action: 'customer.entity-deleted',
        targetId: resolved.customer,
        detail: { environmentId, entity },
      },
      publish: [{ messages: [message], announce: () => eraseNow(ctx, message) }],
    });
  };
}

async function eraseNow(ctx: WorkContext, message: EntityDeleted): Promise<void> {
  const work = eraseDeletedEntity(ctx, message);
  ctx.waitUntil(work.catch(() => undefined));
  try {
    await inTime(systemClock, ERASE_WAIT_MS, 'The ledgers', work);
  } catch (error) {
    const { type, orgId } = message;
    ctx.log.warn('immediate push failed, the queue retries it', { type, orgId, error });
    await sendMessage(ctx.env, message);
  }
}

/** @throws if ledgers did not erase it; the queue tries again */
export async function eraseDeletedEntity(ctx: WorkContext, message: EntityDeleted): Promise<void> {
  const { outboxId, orgId, environmentId, customers: names, entity, before } = message;
  const snapshot = await snapshotOf({ ...ctx, place: NOWHERE }, orgId, environmentId);
  // A deleted environment's ledgers are erased as a whole.
  if (snapshot !== null) await eraseEntity(ctx.env, snapshot, { names, entity }, before);
  await outboxDone(ctx.db, outboxId);
}

async function snapshotOf(
  { db, env, place, waitUntil }: PlacedContext,
  orgId: string,
  environmentId: string,
) {
  const [own] = await listEnvironmentIds(db, liveEnvironment(orgId, environmentId));
  const loaded = own === undefined ? null : await snapshotCacheOf(env).get(own, place, waitUntil);
  return loaded?.snapshot ?? null;
}
