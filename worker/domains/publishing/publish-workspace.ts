/** Consumer of workspace.changed: rebuilds the head and publishes it to the preview environment. */
import type { WorkContext } from '#worker/http/request-context';
import type { WorkspaceChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { buildHead } from './build-head.ts';
import { publishEnvironment } from './publish-environment.ts';

/** Quick changes coalesce: the first message builds every change committed so far, and the others find nothing to do. */
export async function publishWorkspace(ctx: WorkContext, message: WorkspaceChanged): Promise<void> {
  const head = await buildHead(ctx, { orgId: message.orgId });
  await outboxDone(ctx.db, message.outboxId); // the environment's own message covers the rest
  if (head?.message) await publishEnvironment(ctx, head.message);
}
