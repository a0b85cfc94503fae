/**
 * The steps that delete a started organisation, in the order of DELETION_STEPS. Each can be repeated at any point. Their order
 * matters: usage must be billed before the events are erased, and nothing may write to a store that is already empty.
 */

import { and, eq, inArray } from 'drizzle-orm';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { DAY_MS } from '#engine/durations';
import { ledgerAt, replicaStub } from '#objects/stubs';
import type { OutboxMessage } from '#runtime/messages';
import { outbox } from '#worker/db/schema/operations';
import type { DeletionStep } from '#worker/db/schema/organisation-deletions';
import { archivePrefix } from '#worker/domains/activity/archive-activity';
import { endSubscription } from '#worker/domains/billing/end-subscription';
import { eraseEvents } from '#worker/domains/events/instruct-stream';
import { deleteNextStripeIntegration } from '#worker/domains/integrations/delete-next-stripe-integration';
import type { WorkContext } from '#worker/http/request-context';
import { deadEventsPrefix } from '#worker/queue/dead-letter-events';
import { deleteRows } from './delete-rows.ts';
import type { Deletion, Progress } from './progress.ts';

const DONE: Progress = { kind: 'done' };
const WAIT: Progress = { kind: 'wait' };
/** Objects whose storage is deleted at the same time. */
const OBJECTS_AT_ONCE = 48;
/** From the start. A replica or a ledger that does not answer for so long is not waited for: its storage is deleted later. */
const MESSAGES_WAIT_MS = DAY_MS;
/** From the start. What is then left in an object that never answered is named in the log. */
const OBJECTS_WAIT_MS = 7 * DAY_MS;

const steps: Readonly<Record<DeletionStep, (ctx: WorkContext, deletion: Deletion) => Promise<Progress>>> = {
  integrations: async (ctx, { orgId }) => {
    const isMore = await deleteNextStripeIntegration(ctx, { orgId, actor: null });
    return isMore ? { kind: 'more', position: 0 } : DONE;
  },
  // Keys are refused everywhere, ledgers have delivered their events and are closed, and no head is being built.
  messages: async (ctx, { orgId, startedAt }) =>
    ctx.clock() >= (startedAt ?? 0) + MESSAGES_WAIT_MS
      ? DONE
      : awaitMessages(ctx, orgId, ['environment.changed', 'workspace.changed', 'location.closed']),
  subscription: async (ctx, { orgId }) => ((await endSubscription(ctx, orgId)) ? DONE : WAIT),
  events: async (ctx, { orgId }) => {
    await eraseEvents(ctx, { orgId });
    return DONE;
  },
  archives: deleteArchives,
  objects: deleteObjects,
  // Webhook endpoints are gone from the organisation's Stripe accounts, or cannot be reached.
  purges: (ctx, { orgId }) => awaitMessages(ctx, orgId, ['stripe.integration-deleted']),
  rows: deleteRows,
};

export function performStep(ctx: WorkContext, deletion: Deletion): Promise<Progress> {
  return steps[deletion.step](ctx, deletion);
}

async function awaitMessages(
  { db }: WorkContext,
  orgId: string,
  types: readonly OutboxMessage['type'][],
): Promise<Progress> {
  const [open] = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.orgId, orgId), inArray(outbox.type, types)))
    .limit(1);
  return open === undefined ? DONE : WAIT;
}

/** The position is that of the bucket. */
async function deleteArchives({ env }: WorkContext, { orgId, position }: Deletion): Promise<Progress> {
  const archives = [
    { bucket: env.EVENT_ARCHIVE, prefix: `events/${orgId}/` },
    { bucket: env.ARTIFACTS, prefix: `artifacts/${orgId}/` },
    { bucket: env.EVENT_ARCHIVE, prefix: deadEventsPrefix(orgId) },
    { bucket: env.EVENT_ARCHIVE, prefix: archivePrefix(orgId) },
  ];
  const archive = archives[position];
  if (archive === undefined) return DONE;
  const { objects, truncated } = await archive.bucket.list({ prefix: archive.prefix });
  if (objects.length > 0) await archive.bucket.delete(objects.map(({ key }) => key));
  return { kind: 'more', position: truncated ? position : position + 1 };
}

/**
 * The position counts the environments' objects in every location, also where none was ever created: each location may have been
 * enabled once. Per environment and location these are the replica and the ledgers.
 */
async function deleteObjects(ctx: WorkContext, deletion: Deletion): Promise<Progress> {
  const { orgId, environments, position, startedAt } = deletion;
  let first = position;
  for (const { id, shards } of environments ?? []) {
    const perLocation = shards + 1;
    const count = perLocation * LOCATIONS.length;
    if (first >= count) {
      first -= count;
      continue;
    }
    const until = Math.min(first + OBJECTS_AT_ONCE, count);
    const indexes = Array.from({ length: until - first }, (_, offset) => first + offset);
    const objects = indexes.flatMap((index) => {
      const location = LOCATIONS[Math.floor(index / perLocation)];
      const number = index % perLocation;
      return location === undefined
        ? []
        : [{ environmentId: id, location, shard: number === shards ? null : number }];
    });
    const outcomes = await Promise.allSettled(objects.map((object) => deleteStorage(ctx, object)));
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      if (ctx.clock() < (startedAt ?? 0) + OBJECTS_WAIT_MS) throw outcome.reason;
      ctx.log.error('storage of a deleted organisation could not be deleted', {
        orgId,
        ...objects[at],
        error: outcome.reason,
      });
    }
    return { kind: 'more', position: position + indexes.length };
  }
  return DONE;
}

/** @param shard of a ledger; null: the replica */
async function deleteStorage(
  { env }: WorkContext,
  { environmentId, location, shard }: { environmentId: string; location: Location; shard: number | null },
): Promise<void> {
  if (shard === null) await (await replicaStub(env, environmentId, location)).erase();
  else await (await ledgerAt(env, { environmentId, location, shard })).deleteStorage();
}
