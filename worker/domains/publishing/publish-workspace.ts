/** Consumer of workspace.changed: rebuilds the head and sends the message that publishes it to the preview environment. */

import type { WorkspaceChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone } from '#worker/queue/outbox';
import { buildHead } from './build-head.ts';

/** Quick changes coalesce: the first message builds every change committed so far, and the others find nothing to do. */
export async function publishWorkspace(ctx: WorkContext, message: WorkspaceChanged): Promise<void> {
  const head = await buildHead(ctx, { orgId: message.orgId });
  await outboxDone(ctx.db, message.outboxId); // the environment's own message covers the rest
  // Not published here: a data location that does not answer would delay the workspaces of others.
  if (head?.message) await sendMessage(ctx.env, head.message);
}
