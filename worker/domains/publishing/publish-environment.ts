/**
 * Sends an environment's newest snapshot to its replica in every enabled data location, and retires the replicas of
 * disabled ones. Each location acknowledges separately; until all have, the message stays in the outbox and the
 * environment counts as still deploying. A failed attempt is recorded, so that the console can name the location. A location
 * that does not answer in time has failed, and does not delay what the console says of the others.
 */
import { and, eq, lte, sql } from 'drizzle-orm';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { withTexts } from '#contracts/internal/snapshot-texts';
import type { Location } from '#contracts/public/locations';
import { isUnknownMethod, replicaStub } from '#objects/stubs';
import type { EnvironmentChanged } from '#runtime/messages';
import { commit, type Db, type Statement } from '#worker/db/database';
import { environment, replicaAcknowledgement } from '#worker/db/schema/environments';
import { loadSnapshot } from '#worker/domains/snapshots/load-snapshot';
import { prepareWorkflowCode } from '#worker/domains/workflow-code/keep-workflow-code';
import type { Env } from '#worker/env';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone } from '#worker/queue/outbox';

/** Longer than an answer from anywhere takes: what has arrived by then is stored before the others. */
const PROMPT_MS = 1_000;

/** @throws AggregateError when a location did not acknowledge: what did is kept, and the queue tries again */
export async function publishEnvironment(
  { env, db, now }: WorkContext,
  message: EnvironmentChanged,
): Promise<void> {
  const [snapshot, rows] = await Promise.all([
    loadSnapshot(env, db, message.environmentId, prepareWorkflowCode),
    db
      .select({
        location: replicaAcknowledgement.location,
        generation: replicaAcknowledgement.generation,
        deployGeneration: environment.deployGeneration,
      })
      .from(replicaAcknowledgement)
      .innerJoin(environment, eq(environment.id, replicaAcknowledgement.environmentId))
      .where(eq(replicaAcknowledgement.environmentId, message.environmentId)),
  ]);
  if (snapshot === null) {
    await outboxDone(db, message.outboxId);
    return;
  }

  const known = new Map(rows.map((row) => [row.location, row.generation]));
  const hasArtifact = new Set(
    rows.flatMap((row) => (row.generation >= row.deployGeneration ? [row.location] : [])),
  );
  const behind = snapshot.locations.filter((location) => (known.get(location) ?? -1) < snapshot.generation);
  const disabled = [...known.keys()].filter((location) => !snapshot.locations.includes(location));

  const prompt: Acknowledgement[] = [];
  const attempt = async (work: Promise<Acknowledgement>) => {
    const acknowledgement = await work;
    prompt.push(acknowledgement);
    return acknowledgement;
  };
  const attempts = Promise.allSettled([
    ...behind.map((location) => attempt(publishTo(env, snapshot, location, hasArtifact.has(location)))),
    ...disabled.map((location) => attempt(retireAt(env, snapshot, location))),
  ]);
  const isSettled = await Promise.race([attempts.then(() => true), scheduler.wait(PROMPT_MS)]);
  if (isSettled !== true) {
    await commit(
      db,
      prompt.map((each) => acknowledged(db, snapshot, each, now)),
    );
  }
  const outcomes = await attempts;
  const failed = behind.filter((_, index) => outcomes[index]?.status === 'rejected');
  const acknowledgements = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  await commit(db, [
    ...acknowledgements.map((acknowledgement) => acknowledged(db, snapshot, acknowledgement, now)),
    ...failed.map((location) => notAcknowledged(db, snapshot, location, now)),
    ...(failures.length === 0 ? [outboxDone(db, message.outboxId)] : []),
  ]);
  if (failures.length > 0) {
    throw new AggregateError(
      failures,
      `${failures.length} data locations did not acknowledge ${snapshot.environmentId}`,
    );
  }
}

interface Acknowledgement {
  readonly location: Location;
  /** The generation that the replica now has; null: it is retired. */
  readonly generation: number | null;
}

/** @param hasArtifact the location acknowledged the artifact, so only what else has changed is sent, unless its replica was lost */
async function publishTo(
  env: Env,
  snapshot: EnvironmentSnapshot,
  location: Location,
  hasArtifact: boolean,
): Promise<Acknowledgement> {
  const replica = await replicaStub(env, snapshot.environmentId, location);
  const generation = hasArtifact ? await publishChange(replica, snapshot) : null;
  return { location, generation: generation ?? (await replica.publish(snapshot)) };
}

async function publishChange(
  replica: Awaited<ReturnType<typeof replicaStub>>,
  snapshot: EnvironmentSnapshot,
): Promise<number | null> {
  try {
    return await replica.publishChange(withTexts(snapshot, () => ''));
  } catch (error) {
    if (isUnknownMethod(error)) return null;
    throw error;
  }
}

async function retireAt(
  env: Env,
  snapshot: EnvironmentSnapshot,
  location: Location,
): Promise<Acknowledgement> {
  const replica = await replicaStub(env, snapshot.environmentId, location);
  await replica.retire(snapshot.generation, snapshot.locations);
  return { location, generation: null };
}

function acknowledged(
  db: Db,
  { environmentId, generation: published }: EnvironmentSnapshot,
  { location, generation }: Acknowledgement,
  now: number,
): Statement {
  if (generation === null) {
    return db
      .delete(replicaAcknowledgement)
      .where(
        and(
          eq(replicaAcknowledgement.environmentId, environmentId),
          eq(replicaAcknowledgement.location, location),
          lte(replicaAcknowledgement.generation, published),
        ),
      );
  }
  return db
    .insert(replicaAcknowledgement)
    .values({ environmentId, location, generation, acknowledgedAt: now })
    .onConflictDoUpdate({
      target: [replicaAcknowledgement.environmentId, replicaAcknowledgement.location],
      set: {
        generation: sql`max(${replicaAcknowledgement.generation}, excluded.generation)`,
        acknowledgedAt: now,
        failedAt: null,
      },
    });
}

/** Records the failed attempt beside what the location acknowledged before. */
function notAcknowledged(
  db: Db,
  { environmentId }: EnvironmentSnapshot,
  location: Location,
  now: number,
): Statement {
  return db
    .insert(replicaAcknowledgement)
    .values({ environmentId, location, generation: -1, acknowledgedAt: now, failedAt: now })
    .onConflictDoUpdate({
      target: [replicaAcknowledgement.environmentId, replicaAcknowledgement.location],
      set: { failedAt: now },
    });
}
