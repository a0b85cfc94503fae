/**
 * Keeps the keys of integrations that have an address (JWKS). Every ten minutes each address is called, so that a key is there before its
 * first token and a withdrawn one goes; a token with an unknown key id asks for it at once. A silent address keeps its last set, and is
 * called less and less often. No check waits for an issuer: the keys travel in the snapshot.
 */
import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#engine/durations';
import type { JwtKeyUnknown } from '#runtime/messages';
import { jwtIntegration, type StoredPublicKey } from '#worker/db/schema/integrations';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ApiError } from '#worker/http/api-error';
import type { WorkContext } from '#worker/http/request-context';
import { fetchKeySet, KeySetError } from '#worker/platform/fetch-key-set';
import { change } from '#worker/queue/change';
import { anonymize, type JwtIntegrationRow } from './jwt-integration-store.ts';
import { readKeySet } from './read-public-keys.ts';

const EVERY_MS = 10 * MINUTE_MS;
/** Per run. */
const MAX_DUE = 100;
/** Open connections of one invocation. */
const AT_ONCE = 5;

/** How long an address is left alone. One that failed: as long as it has failed by then, so that the pause doubles, up to `mostMs`. */
interface Pause {
  readonly ms: number;
  readonly mostMs: number;
}

const SCHEDULED: Pause = { ms: EVERY_MS, mostMs: DAY_MS };
const ASKED_FOR: Pause = { ms: MINUTE_MS, mostMs: EVERY_MS };

/** Scheduled. Each organisation's longest due address comes before the second of any, so that no organisation takes the turns of others. */
export async function refreshDueKeys(ctx: WorkContext): Promise<void> {
  const { db, now } = ctx;
  const turn = sql`row_number() OVER (PARTITION BY ${jwtIntegration.orgId} ORDER BY ${jwtIntegration.keysTriedAt})`;
  const due = await db
    .select({ id: jwtIntegration.id })
    .from(jwtIntegration)
    .where(isDue(now, SCHEDULED))
    .orderBy(asc(turn), asc(jwtIntegration.keysTriedAt))
    .limit(MAX_DUE);
  await refresh(
    ctx,
    due.map(({ id }) => id),
    SCHEDULED,
  );
}

/** Once a minute for each integration, whatever tokens are sent, and less often while its address fails. */
export async function refreshKeys(ctx: WorkContext, { integrationIds }: JwtKeyUnknown): Promise<void> {
  await refresh(ctx, integrationIds, ASKED_FOR);
}

function isDue(now: number, { ms, mostMs }: Pause): SQL | undefined {
  const { keyAddress, keysProblem, keysTriedAt, keysFetchedAt, createdAt } = jwtIntegration;
  const failingMs = sql`${keysTriedAt} - ifnull(${keysFetchedAt}, ${createdAt})`;
  const pauseMs = sql`CASE WHEN ${keysProblem} IS NULL THEN ${ms} ELSE min(${mostMs}, max(${ms}, ${failingMs})) END`;
  return and(isNotNull(keyAddress), lte(keysTriedAt, now - ms), sql`${keysTriedAt} + ${pauseMs} <= ${now}`);
}

async function refresh(ctx: WorkContext, ids: readonly string[], pause: Pause): Promise<void> {
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const some = ids.slice(first, first + AT_ONCE);
    // Claimed before the call: another run leaves it out.
    const claimed = await ctx.db
      .update(jwtIntegration)
      .set({ keysTriedAt: ctx.now })
      .where(and(inArray(jwtIntegration.id, some), isDue(ctx.now, pause)))
      .returning();
    await Promise.all(claimed.map((row) => refreshOne(ctx, row)));
  }
}

async function refreshOne(ctx: WorkContext, row: JwtIntegrationRow): Promise<void> {
  const { db, now, settings } = ctx;
  const address = row.keyAddress ?? '';
  const isIt = and(eq(jwtIntegration.id, row.id), eq(jwtIntegration.keyAddress, address));
  let publicKeys: readonly StoredPublicKey[];
  try {
    publicKeys = await readKeySet(await fetchKeySet(address, settings));
  } catch (error) {
    if (!(error instanceof KeySetError || error instanceof ApiError)) throw error;
    const keysProblem = error instanceof ApiError ? error.detail.issues?.[0]?.message : error.message;
    await db.update(jwtIntegration).set({ keysProblem }).where(isIt);
    return;
  }
  const fetched = { keysFetchedAt: now, keysProblem: null };
  if (isSameSet(publicKeys, row.publicKeys)) {
    await db.update(jwtIntegration).set(fetched).where(isIt);
    return;
  }
  const { orgId } = row;
  await change(
    ctx,
    { orgId, actor: null },
    {
      write: [
        db
          .update(jwtIntegration)
          .set({ ...fetched, publicKeys })
          .where(isIt),
      ],
      audit: {
        action: 'jwt-integration.keys-refreshed',
        targetId: row.id,
        detail: { publicKey: { from: anonymize(row.publicKeys), to: anonymize(publicKeys) } },
      },
      publish: [everyEnvironmentOf({ orgId })],
    },
  );
}

/** Issuers publish their keys in any order. */
function isSameSet(one: readonly StoredPublicKey[], other: readonly StoredPublicKey[]): boolean {
  const textOf = (keys: readonly StoredPublicKey[]) =>
    keys
      .map((key) => JSON.stringify(key))
      .sort()
      .join();
  return textOf(one) === textOf(other);
}
