/** Consumer of workspace.changed: builds the head anew and publishes it to the preview environment. */
import { openDatabase } from '#worker/db/database';
import type { Env } from '#worker/env';
import type { WorkspaceChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { buildHead } from './build-head.ts';
import { publishEnvironment } from './publish-environment.ts';

/** Quick changes coalesce: whichever message comes first builds for all that stood by then; the others find nothing to do. */
export async function publishWorkspace(env: Env, message: WorkspaceChanged, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const head = await buildHead(env, db, { orgId: message.orgId }, now);
  await outboxDone(db, message.outboxId); // from here on the environment's own message stands for what is left to do
  if (head?.message) await publishEnvironment(env, head.message, now);
}
