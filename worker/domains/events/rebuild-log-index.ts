import type { Scope, WorkContext } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

/** Starts to build search and roll-ups again from the stored events. @returns the number of stored groups */
export async function rebuildLogIndex(ctx: Pick<WorkContext, 'db' | 'env'>, scope: Scope): Promise<number> {
  const stream = await openEventStream(ctx, scope);
  return stream.rebuildIndex();
}
