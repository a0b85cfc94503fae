/**
 * Retires an environment's ledgers in a location that no longer serves it: each hands off its data to the other
 * locations and is erased. Works in batches and resumes after a failure. Ledgers of a location that was enabled again
 * meanwhile rejoin instead. See durable-objects/README.md, "Retiring a location".
 */
import { eq } from 'drizzle-orm';
import type { Location } from '#contracts/public/locations';
import { ledgerAt } from '#objects/stubs';
import { commit, type Db } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Change } from '#worker/domains/publishing/workspace-change';
import type { Scope, WorkContext } from '#worker/http/request-context';
import type { LocationClosed } from '#worker/queue/messages';
import { outboxDone, outboxProgress, outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';

/** Ledgers per message: keeps the calls of one invocation far below the platform's limit. */
const BATCH = 32;

/** Commit the statements with the change that disables the locations, and announce after it. */
export function ledgerRetirement(
  ctx: WorkContext,
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
  return retirementOf(ctx, messages);
}

export function retirementOf(ctx: WorkContext, messages: readonly LocationClosed[]): Change {
  return {
    statements: messages.map((message) => outboxRow(ctx.db, message, ctx.now)),
    announce: () => {
      for (const message of messages) ctx.waitUntil(sendMessage(ctx.env, message));
    },
  };
}

/** @throws if a ledger could not hand off everything yet: the queue retries */
export async function retireLedgers({ env, db, now }: WorkContext, message: LocationClosed): Promise<void> {
  const current = await readEnvironment(db, message.environmentId);
  if (current === null) {
    await outboxDone(db, message.outboxId);
    return;
  }

  const isDeleted = current.deletedAt !== null;
  const isEnabledAgain = !isDeleted && current.locations.includes(message.location);
  const until = Math.min(message.fromShard + BATCH, current.shards);
  for (let shard = message.fromShard; shard < until; shard++) {
    const { environmentId, location } = message;
    const locations = isDeleted ? [] : current.locations;
    const { generation, shards } = current;
    const site = { environmentId, location, shard, generation, locations, shards };
    const ledger = await ledgerAt(env, site);
    if (isEnabledAgain) {
      await ledger.rejoin(site);
      continue;
    }
    if (!(await ledger.erase(site, isDeleted))) {
      throw new Error(
        `Ledger ${shard} of ${environmentId} in ${location} has not handed over everything yet`,
      );
    }
  }
  if (until >= current.shards) {
    await outboxDone(db, message.outboxId);
    return;
  }
  const next: LocationClosed = { ...message, fromShard: until };
  await commit(db, [outboxProgress(db, next, now)]);
  await sendMessage(env, next);
}

async function readEnvironment(db: Db, environmentId: string) {
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
