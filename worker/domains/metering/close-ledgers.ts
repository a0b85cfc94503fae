/**
 * Empties the ledgers of an environment in a data location that no longer serves it: what they alone know goes to the
 * other locations first, then they are deleted. Goes on where it was after a failure, a batch of ledgers at a time. Ledgers
 * of a location that was turned on again meanwhile are told that they may have missed something.
 */
import { eq } from 'drizzle-orm';
import type { Location } from '#contracts/locations';
import { ledgerAt } from '#objects/stubs';
import { commit, type Db, openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Change } from '#worker/domains/artifacts/workspace-change';
import type { Env } from '#worker/env';
import type { RequestContext, Scope } from '#worker/http/request-context';
import type { LocationClosed } from '#worker/queue/messages';
import { outboxDone, outboxProgress, outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';

/** Ledgers of one message: their calls stay well below what one invocation may make. */
const BATCH = 32;

/** To be committed with what closes the locations, and announced after it. */
export function ledgerClosing(
  ctx: RequestContext,
  { orgId }: Scope,
  environmentIds: readonly string[],
  locations: readonly Location[],
): Change {
  const messages = environmentIds.flatMap((environmentId) =>
    locations.map(
      (location): LocationClosed => ({
        ...{
          type: 'location.closed',
          outboxId: ctx.newId('out'),
          orgId,
          environmentId,
          location,
          fromShard: 0,
        },
      }),
    ),
  );
  return closingOf(ctx, messages);
}

export function closingOf(ctx: RequestContext, messages: readonly LocationClosed[]): Change {
  return {
    statements: messages.map((message) => outboxRow(ctx.db, message, ctx.now)),
    announce: () => {
      for (const message of messages) ctx.waitUntil(sendMessage(ctx.env, message));
    },
  };
}

/** @throws where a ledger could not hand over everything yet: the queue tries again */
export async function closeLedgers(env: Env, message: LocationClosed, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const standing = await readStanding(db, message.environmentId);
  if (standing === null) {
    await outboxDone(db, message.outboxId);
    return;
  }

  const isDeleted = standing.deletedAt !== null;
  const isOpenAgain = !isDeleted && standing.locations.includes(message.location);
  const until = Math.min(message.fromShard + BATCH, standing.shards);
  for (let shard = message.fromShard; shard < until; shard++) {
    const { environmentId, location } = message;
    const locations = isDeleted ? [] : standing.locations;
    const { generation, shards } = standing;
    const site = { environmentId, location, shard, generation, locations, shards };
    const ledger = await ledgerAt(env, site);
    if (isOpenAgain) {
      await ledger.rejoin(site);
      continue;
    }
    if (!(await ledger.erase(site, isDeleted))) {
      throw new Error(
        `Ledger ${shard} of ${environmentId} in ${location} has not handed over everything yet`,
      );
    }
  }
  if (until >= standing.shards) {
    await outboxDone(db, message.outboxId);
    return;
  }
  const next: LocationClosed = { ...message, fromShard: until };
  await commit(db, [outboxProgress(db, next, now)]);
  await sendMessage(env, next);
}

async function readStanding(db: Db, environmentId: string) {
  const [row] = await db
    .select({
      generation: environment.generation,
      deletedAt: environment.deletedAt,
      shards: environment.ledgerShards,
      locations: organization.dataLocations,
    })
    .from(environment)
    .innerJoin(organization, eq(organization.id, environment.orgId))
    .where(eq(environment.id, environmentId));
  return row ?? null;
}
