/**
 * Retires an environment's ledgers in a location that no longer serves it: each hands off its data to the other
 * locations and is erased. Works in batches and resumes after a failure. Ledgers of a location that was enabled again
 * meanwhile rejoin instead. See durable-objects/README.md, "Retiring a location". In the same way the ledgers of the other locations learn
 * of one that was enabled.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Location } from '#contracts/public/locations';
import { ledgerAt } from '#objects/stubs';
import type { LocationClosed } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import type { Db } from '#worker/db/database';
import { leavingOf, leavingRows, retirementId } from '#worker/db/leaving-locations';
import { readLiveEnvironments } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { environmentsOf } from '#worker/domains/publishing/publications';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { change, type Publish } from '#worker/queue/change';
import { outboxDone } from '#worker/queue/outbox';

/** Ledgers per message: keeps the calls of one invocation far below the platform's limit. */
const BATCH = 32;

/**
 * Retires these locations' ledgers of these environments, or of all. There is one retirement per environment and location: a change
 * while it runs starts it over from the first ledger.
 */
export function retiredLedgersOf(
  scope: Scope,
  locations: readonly Location[],
  environmentIds?: readonly string[],
): Publish {
  return ledgerMessages(scope, locations, environmentIds, false);
}

/** Tells the ledgers of these locations which others were enabled: they keep what may be decided there, too, until these have it. */
export function toldLedgersOf(scope: Scope, locations: readonly Location[]): Publish {
  return ledgerMessages(scope, locations, undefined, true);
}

function ledgerMessages(
  { orgId }: Scope,
  locations: readonly Location[],
  environmentIds: readonly string[] | undefined,
  stays: boolean,
): Publish {
  return async ({ db, newId }) => {
    const all = environmentIds === undefined ? await readLiveEnvironments(db, orgId) : null;
    const messages = (environmentIds ?? all?.ids ?? []).flatMap((environmentId) =>
      locations.map(
        (location): LocationClosed => ({
          type: 'location.closed',
          outboxId: stays
            ? `out_enabled_${environmentId}_${location}`
            : retirementId(environmentId, location),
          orgId,
          environmentId,
          location,
          ...(stays && { stays }),
          fromShard: 0,
          run: newId('out'),
        }),
      ),
    );
    return { messages, ...(all === null ? {} : { isCurrent: all.areCurrent }) };
  };
}

/**
 * Retires or tells the next ledgers, and sends the message for those after them. A message that is no longer current, because the work
 * has started over or a duplicate was faster, ends here.
 * @throws if a ledger could not hand off everything yet: the queue retries
 */
export async function retireLedgers(ctx: WorkContext, message: LocationClosed): Promise<void> {
  const { env, db, now } = ctx;
  const current = await readEnvironment(db, message.environmentId);
  if (current === null) {
    await outboxDone(db, message.outboxId);
    return;
  }

  const isDeleted = current.deletedAt !== null;
  const isEnabled = !isDeleted && current.locations.includes(message.location);
  const until = Math.min(message.fromShard + BATCH, current.shards);
  for (let shard = message.fromShard; shard < until; shard++) {
    const { environmentId, location } = message;
    const { generation, shards, locations, leaving } = current;
    const site = isDeleted
      ? { environmentId, location, shard, generation, shards, locations: [], leaving: {} }
      : { environmentId, location, shard, generation, shards, locations, leaving };
    const ledger = await ledgerAt(env, site);
    if (message.stays) {
      if (isEnabled) await ledger.observeSite(site);
      continue;
    }
    if (isEnabled) {
      await ledger.rejoin(site);
      continue;
    }
    if (!(await ledger.erase(site, isDeleted))) {
      if (await isReplaced(db, message)) return;
      throw new Error(
        `Ledger ${shard} of ${environmentId} in ${location} has not handed over everything yet, or is enabled again`,
      );
    }
  }
  if (until >= current.shards) {
    await finish(ctx, message, isDeleted);
    return;
  }
  const next: LocationClosed = { ...message, fromShard: until };
  const advanced = await db
    .update(outbox)
    .set({ payload: next, sentAt: now, attempts: 1 })
    .where(isCurrent(message))
    .returning({ id: outbox.id });
  if (advanced.length > 0) await sendMessage(env, next);
}

/** From now on the other locations do not ask this one. */
async function finish(ctx: WorkContext, message: LocationClosed, isDeleted: boolean): Promise<void> {
  const { db } = ctx;
  const { orgId, environmentId, stays } = message;
  const scope = { orgId, actor: null };
  const done = db.delete(outbox).where(isCurrent(message));
  if (stays || isDeleted) {
    await done;
    return;
  }
  await change(ctx, scope, {
    when: { isCurrent: sql`EXISTS (SELECT 1 FROM ${outbox} WHERE ${isCurrent(message)})` },
    write: [done],
    audit: null,
    publish: [environmentsOf(scope, environmentId)],
  });
}

/** The work is done, or has started over. */
async function isReplaced(db: Db, message: LocationClosed): Promise<boolean> {
  const rows = await db.select({ id: outbox.id }).from(outbox).where(isCurrent(message));
  return rows.length === 0;
}

function isCurrent({ outboxId, run, fromShard }: LocationClosed): SQL | undefined {
  return and(
    eq(outbox.id, outboxId),
    sql`${outbox.payload} ->> 'run' IS ${run ?? null}`,
    sql`${outbox.payload} ->> 'fromShard' = ${fromShard}`,
  );
}

/** In one transaction, so that a generation always names the same locations. */
async function readEnvironment(db: Db, environmentId: string) {
  const [rows, leaving] = await db.batch([
    db
      .select({
        generation: environment.generation,
        deletedAt: environment.deletedAt,
        shards: environment.ledgerShards,
        locations: organization.dataLocations,
      })
      .from(environment)
      .innerJoin(organization, eq(organization.id, environment.orgId))
      .where(eq(environment.id, environmentId)),
    leavingRows(db, environmentId),
  ]);
  const [row] = rows;
  return row === undefined ? null : { ...row, leaving: leavingOf(leaving) };
}
