/** Ends watch sessions: closes their sockets, then deletes the rows, so that a socket never outlives its row. */

import { commit } from '#worker/db/database';
import { closeWatches } from '#worker/domains/events/instruct-stream';
import type { WorkContext } from '#worker/http/request-context';
import { deleteWatches, listUnusableWatches, type WatchOwner, type WatchPlace } from './watch-store.ts';

const MAX_ENDED = 1_000;

/**
 * Ends the watch sessions that may no longer be used. Called for a user who was removed or disabled or has signed out, for an
 * organisation whose members were removed, and by the schedule for all, which repeats what failed.
 */
export async function endUnusableWatches(ctx: WorkContext, owner: WatchOwner = {}): Promise<void> {
  await endWatches(ctx, await listUnusableWatches(ctx.db, owner, ctx.clock(), MAX_ENDED));
}

/** A stream that cannot be reached is logged; the rows of its sockets stay for the schedule. */
export async function endWatches(ctx: WorkContext, watches: readonly WatchPlace[]): Promise<void> {
  const byOrganisation = Map.groupBy(watches, ({ orgId }) => orgId);
  await Promise.all(
    [...byOrganisation].map(async ([orgId, some]) => {
      const ids = some.map(({ id }) => id);
      try {
        await closeWatches(ctx, { orgId }, ids);
        await commit(ctx.db, [deleteWatches(ctx.db, ids)]);
      } catch (error) {
        ctx.log.error('live sockets could not be closed', { orgId, count: ids.length, error });
      }
    }),
  );
}
