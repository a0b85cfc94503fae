/** Updates a JWT integration, including its public key. Only fields that were sent and that differ are changed. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { JwtIntegration, updateJwtIntegrationSchema } from '#contracts/console/integrations';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { isAsEdited } from '#worker/http/edited-row';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { readGivenKeys } from './given-keys.ts';
import {
  anonymize,
  asJwtIntegration,
  getJwtIntegration,
  getJwtIntegrationRow,
} from './jwt-integration-store.ts';

/** Shown in the console only, so a change is not published to replicas. */
const CONSOLE_ONLY: ReadonlySet<string> = new Set(['name', 'description']);

/**
 * Idempotent: repeating an applied change succeeds, also with the earlier `updatedAt`.
 * @throws {ApiError} not-found; invalid-request naming publicKey; forbidden for platform staff who change which tokens are
 * accepted; conflict with the current state after a concurrent edit
 */
export async function updateJwtIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
  body: z.output<typeof updateJwtIntegrationSchema>,
): Promise<JwtIntegration> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getJwtIntegrationRow(db, scope, id);
  const given = body.publicKey === undefined ? undefined : await readGivenKeys(ctx, body.publicKey);
  const { aud: audience, iss: issuer, publicKey: _, updatedAt, ...sent } = body;
  const edit = changedFields(current, {
    ...sent,
    audience,
    issuer,
    publicKeys: given?.publicKeys,
    keyAddress: given?.keyAddress,
  });
  const changed = Object.keys(edit);
  if (changed.length === 0) return asJwtIntegration(current);
  const isConsoleOnly = changed.every((name) => CONSOLE_ONLY.has(name));
  if (!isConsoleOnly) ensureIsMember(scope, 'change which tokens are accepted');

  await change(ctx, scope, {
    when: isAsEdited(ctx, scope, {
      what: 'The integration',
      table: jwtIntegration,
      id,
      updatedAt,
      readCurrent: () => getJwtIntegration(db, scope, id),
    }),
    write: [
      db
        .update(jwtIntegration)
        .set({ ...edit, ...given, updatedAt: nextUpdatedAt(jwtIntegration, ctx.now) })
        .where(and(eq(jwtIntegration.id, id), eq(jwtIntegration.orgId, orgId))),
    ],
    audit: {
      action: 'jwt-integration.updated',
      targetId: id,
      detail: recordEdit(
        { ...current, publicKeys: anonymize(current.publicKeys) },
        { ...edit, ...(edit.publicKeys && { publicKeys: anonymize(edit.publicKeys) }) },
      ),
    },
    publish: isConsoleOnly ? [] : [everyEnvironmentOf(scope)],
  });
  return getJwtIntegration(db, scope, id);
}
